import { isDeepStrictEqual } from "node:util";
import type { PolicyRow } from "../../../store/alerts/policies.ts";
import { lockOrg } from "../../../store/orgs/orgs.ts";
import type { PolicyCreate } from "../../../wire/alerts/policies.ts";
import type { ConfigPolicy } from "../../../wire/imports/configuration.ts";
import { changePolicy, createPolicy, removePolicy } from "../../alerts/policies/policies.ts";
import { checkDefinition } from "../../alerts/policies/policy-input.ts";
import { addError, attempt, type Loc, recordChange, type Work } from "./change-log.ts";
import { findChannels } from "./find-channels.ts";

/** Creates, updates and, with `prune`, deletes policies. A job applies them to contracts afterwards. */
export async function applyPolicies(work: Work, channelIds: Map<string, string>): Promise<void> {
  const { input, state } = work;
  if (!input.policies) return;
  const names = new Set(input.policies.map(({ name }) => name));
  if (input.prune) await prune(work, names);
  const seenNames = new Set<string>();
  for (const [index, wanted] of input.policies.entries()) {
    await work.effort.pause();
    const loc = ["body", "policies", index];
    if (seenNames.has(wanted.name)) addError(work, [...loc, "name"], "is a duplicate");
    else
      await applyOne(work, wanted, loc, {
        channelIds,
        before: state.policies.find(({ name }) => name === wanted.name),
      });
    seenNames.add(wanted.name);
  }
}

async function prune(work: Work, kept: Set<string>): Promise<void> {
  for (const { id, name } of work.state.policies) {
    if (kept.has(name)) continue;
    await attempt(work, ["body", "policies"], () => removePolicy(work.app, work.caller, id, work));
    recordChange(work, { action: "delete", kind: "policy", ref: name });
  }
}

type Context = { channelIds: Map<string, string>; before: PolicyRow | undefined };

async function applyOne(
  work: Work,
  wanted: ConfigPolicy,
  loc: Loc,
  { channelIds, before }: Context,
): Promise<void> {
  const { app, caller } = work;
  const { channels: _, escalation: __, ...rule } = wanted.rule;
  const channels = findChannels(work, wanted.rule, [...loc, "rule"], channelIds);
  if (!channels) return;
  const input: PolicyCreate = { ...wanted, rule: { ...rule, ...channels } };
  const ref = wanted.name;
  if (!before) {
    await attempt(work, loc, () => createPolicy(app, caller, input, work));
    recordChange(work, { action: "create", kind: "policy", ref, fields: Object.keys(wanted).sort() });
    return;
  }
  const fields = await attempt(work, loc, () => changedFields(work, input, before));
  if (!fields) return;
  if (fields.length === 0) {
    work.unchanged++;
    return;
  }
  const update = Object.fromEntries(fields.map((field) => [field, input[field]]));
  await attempt(work, loc, () => changePolicy(app, caller, before.id, update, work));
  recordChange(work, { action: "update", kind: "policy", ref, fields, values: { before, after: input } });
}

/** Compares a policy with defaults, as it would be stored. */
async function changedFields(
  { tx, caller }: Work,
  input: PolicyCreate,
  before: PolicyRow,
): Promise<(keyof PolicyCreate)[]> {
  const org = await lockOrg(tx, caller.org_id);
  const checked = { ...input, ...(await checkDefinition(tx, caller, org, input)) };
  return (["selector", "target", "rule", "is_enabled"] as const).filter(
    (field) => checked[field] !== undefined && !isDeepStrictEqual(checked[field], before[field]),
  );
}
