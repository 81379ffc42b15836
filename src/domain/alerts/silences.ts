import { type App, newId } from "../../app.ts";
import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import {
  countSilences,
  coversUneditable,
  insertSilence,
  liftSilence,
  listSilences as listRows,
  type SilenceRow,
} from "../../store/alerts/silences.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { findAccess } from "../../store/viewer.ts";
import type { Silence, SilenceCreate } from "../../wire/alerts/silences.ts";
import { readOnlyMessage } from "../access.ts";
import type { OrgCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";

/** Few enough to check all of them for each alert. */
const maxSilences = 500;

export async function listSilences(app: App, caller: OrgCaller): Promise<Silence[]> {
  return (await listRows(app.db, viewerOf(caller), app.clock.now())).map(toSilence);
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
      throw new AppError("quota_exceeded", `An organisation can have at most ${maxSilences} silences.`);
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

/** Ends a silence now. Alerts that are still firing are notified. */
export async function removeSilence(app: App, caller: OrgCaller, silence_id: string): Promise<{ ok: true }> {
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const row = await liftSilence(tx, viewerOf(caller), silence_id, app.clock.now());
    if (!row) throw new AppError("not_found", "There is no such silence.");
    if (row.contract_id) await requireEditor(tx, caller, row.contract_id);
    // Ending it would notify of contracts that the caller may not change.
    if (await coversUneditable(tx, viewerOf(caller), silence_id))
      throw new AppError(
        "role_required",
        "The silence covers contracts that you may not change. Ask an admin.",
      );
    const details = { reason: row.reason };
    audit({ org_id: caller.org_id, action: "silence.deleted", subject: subjectOf(silence_id), details });
    hint({ topic: "silence.lifted" });
    return { ok: true };
  });
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
