import { type App, newId } from "../app.ts";
import type { Hint } from "../lib/bus/bus.ts";
import type { Db } from "../store/open-store.ts";
import { insertAuditEntries } from "../store/orgs/audit-log.ts";
import type { Caller } from "./caller.ts";

/** One line for the audit log. `org_id` is null for what concerns no single org. */
export type AuditEntry = {
  org_id: string | null;
  action: `${string}.${string}`;
  subject: { type: string; id: string | null };
  details?: Record<string, unknown>;
  /** Who did it, where the request itself shows who that is and its session does not. */
  by?: { user_id: string; name: string };
};

/** What a verb may do besides its own writes. */
export type TxEffects = {
  audit(entry: AuditEntry): void;
  /** Told to the bus once the transaction is committed. */
  hint(hint: Hint): void;
};

/**
 * The one way to change something: a transaction that also holds the audit lines and, where the request asked
 * for it, the answer. A verb returns its reply from here, so that effect, audit and answer stand or fall together.
 */
export async function write<Reply>(
  app: App,
  caller: Caller,
  work: (tx: Db, effects: TxEffects) => Promise<Reply>,
): Promise<Reply> {
  const underWay = (app as JoinedApp)[joined];
  if (underWay) return work(underWay.tx, underWay.effects);
  const hints: Hint[] = [];
  const reply = await retryConflicts(() =>
    app.db.transaction().execute(async (tx) => {
      hints.length = 0;
      const entries: AuditEntry[] = [];
      const result = await work(tx, {
        audit: (entry) => entries.push(entry),
        hint: (hint) => hints.push(hint),
      });
      await insertAuditEntries(
        tx,
        entries.map((entry) => toRow(app, caller, entry)),
      );
      await caller.context.saveReply?.(tx, result);
      await app.faults.hit("write.before_commit");
      return result;
    }),
  );
  await app.faults.hit("write.after_commit");
  for (const hint of [...hints, { topic: "stream.queued" }]) app.bus.publish(hint);
  return reply;
}

const joined = Symbol("joined");
type JoinedApp = App & { [joined]?: { tx: Db; effects: TxEffects } };

/** An app whose verbs take part in a transaction that is under way, so that several of them stand or fall together. */
export function joining(app: App, tx: Db, effects: TxEffects): App {
  const inside: JoinedApp = { ...app, db: tx, [joined]: { tx, effects } };
  return inside;
}

/** Does what `write` does and takes it back, so that what a dry run says is what would happen. */
export async function dryRun<Reply>(
  app: App,
  caller: Caller,
  work: (tx: Db, effects: TxEffects) => Promise<Reply>,
): Promise<Reply> {
  try {
    return await write(app, caller, async (tx, effects) => {
      throw new Rollback(await work(tx, effects));
    });
  } catch (error) {
    if (error instanceof Rollback) return error.reply as Reply;
    throw error;
  }
}

/** Thrown to have a transaction forget everything. */
class Rollback extends Error {
  readonly reply: unknown;

  constructor(reply: unknown) {
    super("a dry run is taken back");
    this.reply = reply;
  }
}

/** Deadlocks and serialisation failures are known to have changed nothing, so trying again is safe. */
async function retryConflicts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let left = 3; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !isConflict(error)) throw error;
    }
  }
}

function isConflict(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "40001" || code === "40P01";
}

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
