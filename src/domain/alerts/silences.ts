import { type App, newId } from "../../app.ts";
import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import {
  countSilences,
  coversUneditable,
  findSilence,
  insertSilence,
  liftSilence,
  listSilences as listRows,
  lockSilence,
  type SilenceRow,
  updateSilence,
} from "../../store/alerts/silences.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { findAccess } from "../../store/viewer.ts";
import type { Silence, SilenceCreate, SilenceUpdate } from "../../wire/alerts/silences.ts";
import type { Page, PageQuery } from "../../wire/paging.ts";
import { readOnlyMessage } from "../access.ts";
import type { OrgCaller } from "../caller.ts";
import { cutPage } from "../page.ts";
import { inTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";

/** Few enough to check all of them for each alert. */
const maxSilences = 500;

export async function listSilences(app: App, caller: OrgCaller, query: PageQuery): Promise<Page<Silence>> {
  const all = await listRows(app.db, viewerOf(caller), app.clock.now());
  const page = cutPage(all, query, ({ ends_at, id }) => ({ at: ends_at, id }), "ascending");
  return { ...page, items: page.items.map(toSilence) };
}

export async function getSilence(app: App, caller: OrgCaller, silence_id: string): Promise<Silence> {
  const row = await findSilence(app.db, viewerOf(caller), silence_id);
  if (!row) throw noSuchSilence();
  return toSilence(row);
}

/** Creates a silence: alerts are recorded, notifications are suppressed. */
export async function createSilence(app: App, caller: OrgCaller, input: SilenceCreate): Promise<Silence> {
  return inTransaction(app, caller, async (tx, { audit }) => {
    const now = app.clock.now();
    const starts_at = input.starts_at ? new Date(input.starts_at) : now;
    const ends_at = new Date(input.ends_at);
    const issues = [...timeIssues(starts_at, ends_at, now), ...(await contractIssues(tx, caller, input))];
    if (issues.length > 0) throw new InvalidRequest(issues);
    await lockOrg(tx, caller.org_id);
    if ((await countSilences(tx, caller.org_id, now)) >= maxSilences)
      throw new AppError(
        "quota_exceeded",
        `An organisation can have at most ${maxSilences} silences. End one first.`,
      );
    const row = await insertSilence(tx, {
      id: newId(app),
      org_id: caller.org_id,
      contract_id: input.contract_id ?? null,
      label: input.label ?? null,
      severity: input.severity ?? null,
      reason: input.reason,
      starts_at,
      ends_at,
      ...authorOf(caller),
      deleted_at: null,
      created_at: now,
    });
    const { id, created_at: _, ...details } = toSilence(row);
    audit({ org_id: caller.org_id, action: "silence.created", subject: subjectOf(id), details });
    return toSilence(row);
  });
}

/** Changes the reason and the times of a silence that has not ended. What it covers, and its author, stay. */
export async function changeSilence(
  app: App,
  caller: OrgCaller,
  silence_id: string,
  input: SilenceUpdate,
): Promise<Silence> {
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const now = app.clock.now();
    const before = await lockSilence(tx, viewerOf(caller), silence_id, now);
    if (!before) throw noSuchSilence();
    await requireEditorOfAll(tx, caller, before);
    const starts_at = input.starts_at ? new Date(input.starts_at) : before.starts_at;
    const ends_at = input.ends_at ? new Date(input.ends_at) : before.ends_at;
    const issues = [...startIssues(before, starts_at, now), ...timeIssues(starts_at, ends_at, now)];
    if (issues.length > 0) throw new InvalidRequest(issues);
    const reason = input.reason ?? before.reason;
    const row = await updateSilence(tx, caller.org_id, silence_id, { reason, starts_at, ends_at });
    const details = { fields: Object.keys(input), starts_at, ends_at };
    audit({ org_id: caller.org_id, action: "silence.updated", subject: subjectOf(silence_id), details });
    hint({ topic: "silence.lifted" });
    return toSilence(row);
  });
}

/** Deliveries that a silence has suppressed wait for its end, so a silence that has started cannot start later. */
function startIssues(before: SilenceRow, starts_at: Date, now: Date): Issue[] {
  if (before.starts_at > now || starts_at.getTime() === before.starts_at.getTime()) return [];
  const msg = "cannot change, because the silence has started";
  return [{ loc: ["body", "starts_at"], msg, type: "value_error" }];
}

/** Ends a silence now. Alerts that are still firing are notified. */
export async function removeSilence(app: App, caller: OrgCaller, silence_id: string): Promise<{ ok: true }> {
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const row = await liftSilence(tx, viewerOf(caller), silence_id, app.clock.now());
    if (!row) throw noSuchSilence();
    await requireEditorOfAll(tx, caller, row);
    const details = { reason: row.reason };
    audit({ org_id: caller.org_id, action: "silence.deleted", subject: subjectOf(silence_id), details });
    hint({ topic: "silence.lifted" });
    return { ok: true };
  });
}

/** Rejects a caller who would decide on notifications of contracts that they may not change. */
async function requireEditorOfAll(tx: Db, caller: OrgCaller, { id, contract_id }: SilenceRow): Promise<void> {
  if (contract_id) await requireEditor(tx, caller, contract_id);
  if (await coversUneditable(tx, viewerOf(caller), id))
    throw new AppError(
      "role_required",
      "The silence covers contracts that you may not change. Ask an admin.",
    );
}

function noSuchSilence(): AppError {
  return new AppError("not_found", "There is no such silence.");
}

/** The author, whose access decides which contracts the silence covers. */
function authorOf(caller: OrgCaller) {
  return { created_by: caller.user_id, is_created_by_admin: viewerOf(caller).user_id === null };
}

function subjectOf(id: string) {
  return { type: "silence", id };
}

function timeIssues(starts_at: Date, ends_at: Date, now: Date): Issue[] {
  const loc = ["body", "ends_at"];
  if (ends_at <= now) return [{ loc, msg: "must be in the future", type: "value_error" }];
  if (ends_at <= starts_at) return [{ loc, msg: "must be after starts_at", type: "value_error" }];
  return [];
}

async function contractIssues(tx: Db, caller: OrgCaller, { contract_id }: SilenceCreate): Promise<Issue[]> {
  if (!contract_id) return [];
  const loc = ["body", "contract_id"];
  const isVisible = await requireEditor(tx, caller, contract_id);
  return isVisible ? [] : [{ loc, msg: "is not a contract that you can see", type: "value_error" }];
}

/** Returns whether the caller can see the contract; rejects callers with read-only access. */
async function requireEditor(tx: Db, caller: OrgCaller, contract_id: string): Promise<boolean> {
  const access = await findAccess(tx, viewerOf(caller), "contract", contract_id);
  if (access?.isEditable === false) throw new AppError("role_required", readOnlyMessage);
  return access !== undefined;
}

function toSilence(row: SilenceRow): Silence {
  return {
    id: row.id,
    contract_id: row.contract_id,
    label: row.label,
    severity: row.severity,
    all: row.contract_id === null && row.label === null && row.severity === null,
    reason: row.reason,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
