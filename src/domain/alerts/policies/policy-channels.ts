import { listPolicies, type PolicyRow, updatePolicy } from "../../../store/alerts/policies.ts";
import type { Db } from "../../../store/open-store.ts";
import type { PolicyRule } from "../../../wire/alerts/policies.ts";
import type { WriteContext } from "../../write-context.ts";

/** A policy whose rules notify a channel. */
export type PolicyOfChannel = {
  policy: PolicyRow;
  /** The channel is the only one of the rules, or of a step of their escalation. */
  isOnly: boolean;
};

/** Lists the policies whose rules notify a channel. */
export async function policiesOf(tx: Db, org_id: string, channel_id: string): Promise<PolicyOfChannel[]> {
  const policies = await listPolicies(tx, org_id);
  return policies.flatMap((policy) => {
    const { rule } = policy;
    if (!channelsOf(rule).includes(channel_id)) return [];
    const without = withChannel(rule, channel_id, null);
    const isOnly =
      (notifies(rule) && !notifies(without)) || without.escalation.length < rule.escalation.length;
    return [{ policy, isOnly }];
  });
}

/** The channel to replace, with null to remove it. `isChecked` if the caller checks afterwards that no policy lacks a channel. */
export type Move = { from: string; to: string | null; isChecked: boolean };

/** Replaces a channel in policies. Their rules are changed in the same way, so that they need not be applied again. */
export async function moveInPolicies(
  { tx, caller: { org_id }, effects: { audit } }: Pick<WriteContext, "tx" | "caller" | "effects">,
  policies: PolicyOfChannel[],
  { from, to, isChecked }: Move,
): Promise<void> {
  for (const { policy } of policies) {
    const rule = withChannel(policy.rule, from, to);
    const record_only = rule.record_only || (!isChecked && !notifies(rule));
    await updatePolicy(tx, org_id, policy.id, { rule: { ...rule, record_only } });
    const details = { name: policy.name, fields: ["rule"], channel_deleted: from };
    audit({ org_id, action: "policy.updated", subject: { type: "policy", id: policy.id }, details });
  }
}

/** Returns the names of policies whose rules notify nobody and do not say so. */
export async function listUnreachablePolicies(tx: Db, org_id: string): Promise<string[]> {
  const policies = await listPolicies(tx, org_id);
  return policies.filter(({ rule }) => !rule.record_only && !notifies(rule)).map(({ name }) => name);
}

function channelsOf({ channel_id, channel_ids, escalation }: PolicyRule): string[] {
  return [channel_id ?? [], channel_ids, escalation.map((step) => step.channel_ids)].flat(2);
}

function notifies({ channel_id, channel_ids }: PolicyRule): boolean {
  return channel_id !== null || channel_ids.length > 0;
}

/** As for rules, a step without a channel goes, and those of a changed escalation are sorted. */
function withChannel(rule: PolicyRule, from: string, to: string | null): PolicyRule {
  const replace = (ids: readonly string[]) => [
    ...new Set(ids.flatMap((id) => (id === from ? (to ?? []) : id))),
  ];
  const [channel_id = null] = replace(rule.channel_id ? [rule.channel_id] : []);
  const channel_ids = replace(rule.channel_ids).filter((id) => id !== channel_id);
  const isInStep = rule.escalation.some((step) => step.channel_ids.includes(from));
  const steps = rule.escalation.map((step) => ({ ...step, channel_ids: replace(step.channel_ids).sort() }));
  const escalation = isInStep ? steps.filter((step) => step.channel_ids.length > 0) : rule.escalation;
  return { ...rule, channel_id, channel_ids, escalation };
}
