import type { App } from "../../app.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import {
  type ChannelRule,
  listRulesOf,
  replaceChannel,
  setRecordOnly,
} from "../../store/channels/channel-rules.ts";
import { deleteChannel, findChannel, lockChannel } from "../../store/channels/channels.ts";
import { cancelQueued } from "../../store/delivery/delivery-results.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { readOnlyMessage } from "../access.ts";
import { moveInPolicies, type PolicyOfChannel, policiesOf } from "../alerts/policies/policy-channels.ts";
import type { OrgCaller } from "../caller.ts";
import { inTransaction, type OpenTransaction, type TxEffects } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";
import { noSuchChannel, requireOwnUse, subjectOf } from "./channels.ts";

/** What happens to the rules of a deleted channel. */
export type Removal = {
  replace_with?: string | undefined;
  /** Rules without another channel record events only. */
  force?: boolean;
  /** The caller gives the rules another channel, and checks that afterwards. */
  isChecked?: boolean;
};

/**
 * Deletes a channel and skips its queued deliveries. A rule that would notify nobody afterwards prevents it, unless the rules move
 * to another channel or become record-only.
 */
export async function removeChannel(
  app: App,
  caller: OrgCaller,
  channel_id: string,
  removal: Removal,
  joined?: OpenTransaction,
): Promise<{ ok: true }> {
  return inTransaction(
    app,
    caller,
    async (tx, effects) => {
      // Policies are changed under the lock of the org, which comes before that of the channel as in a change of a policy.
      await lockOrg(tx, caller.org_id);
      // Locked before its rules are read: a rule that is being given this channel is seen, or rejected.
      const row = await lockChannel(tx, caller.org_id, channel_id, { forRemoval: true });
      if (!row) throw noSuchChannel();
      await requireOwnUse(tx, caller, channel_id);
      const rules = await listRulesOf(tx, viewerOf(caller), channel_id);
      const policies = await policiesOf(tx, caller.org_id, channel_id);
      await moveRules(tx, caller, channel_id, removal, [...rules, ...policies.map(asRule)]);
      const move = {
        from: channel_id,
        to: removal.replace_with ?? null,
        isChecked: removal.isChecked === true,
      };
      await moveInPolicies({ tx, caller, effects }, policies, move);
      await deleteChannel(tx, caller.org_id, channel_id);
      await cancelQueued(tx, [channel_id], "skipped", "The channel was deleted.");
      recordRemoval(caller, { id: channel_id, type: row.type, name: row.name }, removal, rules, effects);
      return { ok: true };
    },
    joined,
  );
}

/** A policy prevents the removal as a rule does; force makes it record-only. Who may not change its rules is rejected before. */
function asRule({ policy, isOnly }: PolicyOfChannel): ChannelRule {
  return { id: policy.id, name: `policy ${policy.name}`, isOnly, isVisible: true, isEditable: true };
}

async function moveRules(
  tx: Db,
  caller: OrgCaller,
  channel_id: string,
  { replace_with, force, isChecked }: Removal,
  rules: ChannelRule[],
): Promise<void> {
  const { org_id } = caller;
  const only = rules.filter(({ isOnly }) => isOnly);
  if (replace_with !== undefined) {
    await requireReplacement(tx, org_id, channel_id, replace_with);
    return replaceChannel(tx, org_id, channel_id, replace_with);
  }
  if (only.length === 0 || isChecked) return;
  if (!force) throw new AppError("channel_in_use", inUseMessage(only));
  // Who may not change a rule must not silence it.
  if (only.some((rule) => !rule.isEditable)) throw new AppError("role_required", readOnlyMessage);
  await setRecordOnly(
    tx,
    org_id,
    only.map(({ id }) => id),
    channel_id,
  );
}

async function requireReplacement(tx: Db, org_id: string, channel_id: string, to: string): Promise<void> {
  const channel = to === channel_id ? undefined : await findChannel(tx, org_id, to);
  if (channel?.is_enabled) return;
  const msg = channel
    ? `is the channel ${JSON.stringify(channel.name)}, which is disabled and would notify nobody; enable it first, or choose another one`
    : "is not another channel of the organisation";
  throw new InvalidRequest([{ loc: ["query", "replace_with"], msg, type: "value_error" }]);
}

const maxNamed = 10;

function inUseMessage(only: ChannelRule[]): string {
  const names = only.filter((rule) => rule.isVisible).map(({ name }) => JSON.stringify(name));
  const others = only.length - Math.min(names.length, maxNamed);
  const named = [...names.slice(0, maxNamed), ...(others > 0 ? [`${others} more`] : [])].join(", ");
  return (
    `This is the only channel of ${only.length === 1 ? "a rule" : `${only.length} rules`}, or of a step of their escalation: ${named}. ` +
    "Move them with replace_with, or leave them record-only with force=true."
  );
}

function recordRemoval(
  { org_id }: OrgCaller,
  { id, type, name }: { id: string; type: string; name: string },
  { replace_with, force }: Removal,
  rules: ChannelRule[],
  { audit }: TxEffects,
): void {
  const details = { type, name, ...(replace_with !== undefined && { replace_with }), rules: rules.length };
  audit({ org_id, action: "channel.deleted", subject: subjectOf(id), details });
  for (const rule of rules) {
    const isSilenced = replace_with === undefined && force === true && rule.isOnly;
    const fields = ["channels", ...(isSilenced ? ["record_only"] : [])];
    audit({
      org_id,
      action: "rule.updated",
      subject: { type: "rule", id: rule.id },
      details: { fields, channel_deleted: id },
    });
  }
}
