import { type App, newId } from "../app.ts";
import { AppError } from "../errors/app-error.ts";
import type { Hint } from "../lib/bus/bus.ts";
import { UnsentStatement } from "../store/connection/unsent-statement.ts";
import type { Db } from "../store/open-store.ts";
import { insertAuditEntries } from "../store/orgs/audit-log.ts";
import type { Caller } from "./caller.ts";
import { requireDefinitionBudget } from "./definition-budget.ts";

/** An entry of the audit log. `org_id` is null for actions outside a single org. */
export type AuditEntry = {
  org_id: string | null;
  action: `${string}.${string}`;
  subject: { type: string; id: string | null };
  details?: Record<string, unknown>;
  /** The actor, where the request identifies one that its session does not. */
  by?: { user_id: string; name: string };
};

/** The side effects of a transaction: audit entries are written with it, hints are published after the commit. */
export type TxEffects = {
  audit(entry: AuditEntry): void;
  hint(hint: Hint): void;
};

/** A transaction that is open already, for functions that take part in it. */
export type OpenTransaction = { tx: Db; effects: TxEffects };

/**
 * The only way to change data: runs `work` in a transaction that also contains the audit entries and, for an idempotent request,
 * the saved reply. With `joined`, the work runs in that open transaction instead, whose owner commits it.
 */
export async function inTransaction<Reply>(
  app: App,
  caller: Caller,
  work: Work<Reply>,
  joined?: OpenTransaction,
): Promise<Reply> {
  if (joined) return work(joined.tx, joined.effects);
  const hints: Hint[] = [];
  const attempt = { isCommitting: false };
  const reply = await retryConflicts(app, attempt, () =>
    app.db.transaction().execute(async (tx) => {
      hints.length = 0;
      const entries: AuditEntry[] = [];
      const effects: TxEffects = {
        audit: (entry) => entries.push(entry),
        hint: (hint) => hints.push(hint),
      };
      const result = await withinBudget(work)(tx, effects);
      await insertAuditEntries(
        tx,
        entries.map((entry) => toRow(app, caller, entry)),
      );
      await caller.context.saveReply?.(tx, result);
      await app.faults.hit("write.before_commit");
      attempt.isCommitting = true;
      return result;
    }),
  );
  await app.faults.hit("write.after_commit");
  for (const hint of [...hints, { topic: "stream.queued" }]) app.bus.publish(hint);
  return reply;
}

type Work<Reply> = (tx: Db, effects: TxEffects) => Promise<Reply>;

/** Work that is rejected if it adds more to a contract than the engine can read. */
function withinBudget<Reply>(work: Work<Reply>): Work<Reply> {
  return async (tx, { audit, hint }) => {
    let isWatchChanged = false;
    const result = await work(tx, {
      audit,
      hint(given) {
        isWatchChanged ||= given.topic === "watch.changed";
        hint(given);
      },
    });
    if (isWatchChanged) await requireDefinitionBudget(tx);
    return result;
  };
}

/** Runs `work` like `inTransaction` and rolls it back, so that the reply is that of the real run. */
export async function dryRun<Reply>(app: App, caller: Caller, work: Work<Reply>): Promise<Reply> {
  try {
    return await inTransaction(app, caller, async (tx, effects) => {
      throw new Rollback(await withinBudget(work)(tx, effects));
    });
  } catch (error) {
    if (error instanceof Rollback) return error.reply as Reply;
    throw error;
  }
}

/** Thrown to roll a transaction back. */
class Rollback extends Error {
  readonly reply: unknown;

  constructor(reply: unknown) {
    super("rolled back after a dry run");
    this.reply = reply;
  }
}

/**
 * Retries after failures that have changed nothing: deadlocks, serialisation failures, a secrets key that was replaced, and an end
 * for an urgent transaction.
 */
async function retryConflicts<Result>(
  { vault }: App,
  attempt: { isCommitting: boolean },
  run: () => Promise<Result>,
): Promise<Result> {
  for (let attemptsLeft = 3; ; attemptsLeft--) {
    try {
      attempt.isCommitting = false;
      return await run();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      // The outcome of an interrupted commit is unknown.
      const isEnded = error instanceof UnsentStatement || (code === endedState && !attempt.isCommitting);
      const isConflict = conflicts.includes(code) || isEnded;
      if (attemptsLeft === 0 && isEnded) throw interrupted(error);
      if (attemptsLeft === 0 || !isConflict) throw error;
      if (code === retiredKeyState) await vault.reload?.();
    }
  }
}

function interrupted(cause: unknown): AppError {
  const message =
    "The change was interrupted, because alerts had to wait for it or the database was restarted. Nothing was changed: " +
    "try again, and divide a large document.";
  return new AppError("unavailable", message, { cause, retryAfterSeconds: 2 });
}

/** The SQLSTATE of migration 0028 for a value that is sealed with a key that is no longer active. */
const retiredKeyState = "TS001";
const conflicts = ["40001", "40P01", retiredKeyState];
/** The connection was ended, by an urgent transaction or because the server stops. */
const endedState = "57P01";

function toRow(app: App, caller: Caller, entry: AuditEntry) {
  return {
    id: newId(app),
    org_id: entry.org_id,
    action: entry.action,
    ...actorOf(entry.by ? { kind: "user", ...entry.by } : caller),
    subject_type: entry.subject.type,
    subject_id: entry.subject.id,
    details: JSON.stringify(entry.details ?? {}),
    request_id: caller.context.request_id,
    ip: caller.context.ip,
    created_at: app.clock.now(),
  };
}

type Actor = Caller | { kind: "user"; user_id: string; name: string };

function actorOf(caller: Actor) {
  switch (caller.kind) {
    case "user":
      return { actor_type: "user" as const, actor_id: caller.user_id, actor_name: caller.name };
    case "api_key":
      return { actor_type: "api_key" as const, actor_id: caller.key_id, actor_name: caller.name };
    case "staff":
      return { actor_type: "staff" as const, actor_id: caller.staff_id, actor_name: caller.name };
    case "system":
      return { actor_type: "system" as const, actor_id: null, actor_name: null };
    case "anyone":
      return { actor_type: "link" as const, actor_id: null, actor_name: null };
  }
}
