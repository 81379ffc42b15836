import type { App } from "../../../app.ts";
import { AppError, InvalidRequest, type Issue, limitIssues } from "../../../errors/app-error.ts";
import { throwIfAbandoned } from "../../../lib/concurrency/abandonment.ts";
import { offloadFor } from "../../../lib/concurrency/worker-pool.ts";
import { listUnreachable } from "../../../store/channels/channel-rules.ts";
import type { Db } from "../../../store/open-store.ts";
import { lockOrg } from "../../../store/orgs/orgs.ts";
import { listEditableIds } from "../../../store/viewer.ts";
import type { ConfigApply, ConfigPlan } from "../../../wire/imports/configuration.ts";
import { listUnreachablePolicies } from "../../alerts/policies/policy-channels.ts";
import type { OrgCaller } from "../../caller.ts";
import { dryRun, inTransaction, type TxEffects } from "../../transaction.ts";
import { viewerOf } from "../../viewer-of.ts";
import { applyChannels } from "./apply-channels.ts";
import { applyContracts } from "./apply-contracts.ts";
import { applyPolicies } from "./apply-policies.ts";
import { addError, deniedType, type Work } from "./change-log.ts";
import { Effort } from "./effort.ts";
import { loadState } from "./org-state.ts";

/** Applies a document to an org in one transaction. A dry run does the same and rolls back. */
export async function applyConfig(
  app: App,
  caller: OrgCaller,
  input: ConfigApply,
  dry_run: boolean,
): Promise<ConfigPlan> {
  const run = async (tx: Db, effects: TxEffects) => {
    const work = await applyDocument(app, tx, caller, effects, input);
    if (work.errors.length > 0 && !dry_run) throw rejection(work.errors);
    // The reply was a 503, so nothing may be committed.
    throwIfAbandoned();
    return planOf(work, dry_run);
  };
  return dry_run ? dryRun(app, caller, run) : inTransaction(app, caller, run);
}

/** A valid document with changes that the caller may not make is a denial; any other error makes it invalid. */
function rejection(errors: Issue[]): Error {
  const denied = errors.filter(({ type }) => type === deniedType);
  // Denials first: they are recorded, and only the first errors are reported.
  if (denied.length < errors.length)
    return new InvalidRequest([...denied, ...errors.filter(({ type }) => type !== deniedType)]);
  const places = errors.map(({ loc }) => loc.slice(1).join("."));
  const message = `You have read-only access to contracts that the document changes (${places.slice(0, 5).join(", ")}).`;
  return new AppError("role_required", message);
}

async function applyDocument(
  app: App,
  tx: Db,
  caller: OrgCaller,
  effects: TxEffects,
  input: ConfigApply,
): Promise<Work> {
  await lockOrg(tx, caller.org_id);
  const state = await loadState(tx, caller);
  const contract_ids = state.contracts.map(({ row }) => row.id);
  const editable = await listEditableIds(tx, viewerOf(caller), contract_ids);
  const channelRefs = new Map([...state.channels].map(([ref, { id }]) => [id, ref]));
  const progress = {
    denied: new Set<string>(),
    effort: new Effort(offloadFor(app.workers, caller.org_id)),
    changes: [],
    unchanged: 0,
    warnings: [],
    errors: [],
  };
  const work: Work = { app, tx, caller, effects, input, state, channelRefs, editable, ...progress };
  const channelIds = await applyChannels(work);
  await applyContracts(work, channelIds);
  await applyPolicies(work, channelIds);
  await requireRecipients(work);
  const { create, update, delete: deleted } = planOf(work, false).summary;
  if (work.changes.length > 0) {
    effects.audit({
      org_id: caller.org_id,
      action: "config.applied",
      subject: { type: "org", id: caller.org_id },
      details: { created: create, updated: update, deleted },
    });
  }
  return work;
}

const maxUnreachable = 20;

/** A rule that loses a pruned channel must get another one from the document. */
async function requireRecipients(work: Work): Promise<void> {
  if (!work.changes.some(({ action, kind }) => action === "delete" && kind === "channel")) return;
  for (const name of await listUnreachable(work.tx, work.caller.org_id, maxUnreachable)) {
    const msg = `leaves the rule ${JSON.stringify(name)} without a channel; give it one, or record_only: true`;
    addError(work, ["body", "contracts"], msg);
  }
  for (const name of (await listUnreachablePolicies(work.tx, work.caller.org_id)).slice(0, maxUnreachable)) {
    const msg = `leaves the policy ${JSON.stringify(name)} without a channel; give its rule one, or record_only: true`;
    addError(work, ["body", "policies"], msg);
  }
}

function planOf({ changes, unchanged, warnings, errors }: Work, dry_run: boolean): ConfigPlan {
  const count = (action: string) => changes.filter((change) => change.action === action).length;
  const summary = {
    create: count("create"),
    update: count("update"),
    delete: count("delete"),
    none: unchanged,
  };
  return { dry_run, changes, summary, warnings: limitIssues(warnings), errors: limitIssues(errors) };
}
