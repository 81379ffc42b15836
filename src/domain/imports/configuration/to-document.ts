import { channelOf } from "../../../channels/index.ts";
import type { PolicyRow } from "../../../store/alerts/policies.ts";
import type { RuleRow } from "../../../store/alerts/rules.ts";
import type { ChannelRow } from "../../../store/channels/channels.ts";
import type { ContractRow } from "../../../store/contracts/contracts.ts";
import type { TargetRow } from "../../../store/contracts/targets.ts";
import type { PolicyRule } from "../../../wire/alerts/policies.ts";
import type {
  ConfigChannel,
  ConfigContract,
  ConfigPolicy,
  ConfigRule,
  ConfigTarget,
} from "../../../wire/imports/configuration.ts";
import { toConfirmations } from "../../alerts/rule-row.ts";
import { toConfigCondition } from "./other-targets.ts";
import { withRefs } from "./secret-refs.ts";

/** Conversions to the document format with all fields, used for the export and for comparison with a document. */

export function toConfigChannel(
  ref: string,
  row: ChannelRow,
  nameSecret: (path: readonly string[]) => string,
): Required<Omit<ConfigChannel, "ref">> & Pick<ConfigChannel, "ref"> {
  const secrets = channelOf(row.type)?.secrets ?? [];
  const config = Object.entries(row.config).map(([name, value]) => [
    name,
    secrets.includes(name) ? withRefs(value, [ref, name], nameSecret) : value,
  ]);
  return {
    ...(ref !== row.name && { ref }),
    name: row.name,
    type: row.type,
    config: Object.fromEntries(config),
    min_severity: row.min_severity,
    is_enabled: row.is_enabled,
  };
}

export function toConfigContract(row: ContractRow): Required<Omit<ConfigContract, "targets">> {
  return {
    chain: row.chain,
    address: row.address,
    label: row.label,
    category: row.category as NonNullable<ConfigContract["category"]>,
    is_paused: row.status === "PAUSED",
    labels: row.labels.map(({ key, value, color }) => ({ key, value, color })).sort(byText),
  };
}

export function toConfigTarget(row: TargetRow): Required<Omit<ConfigTarget, "rules">> {
  return { target_type: row.target_type, name: row.name, config: row.config, is_enabled: row.is_enabled };
}

/** Converts a rule; `refOf` returns the reference of a channel, `nameOf` the name of a target. */
export function toConfigRule(
  row: RuleRow,
  refOf: (channel_id: string) => string | undefined,
  nameOf: (target_id: string) => string | undefined,
): Required<ConfigRule> {
  return {
    name: row.name,
    external_ref: row.external_ref,
    severity: row.severity,
    condition: toConfigCondition(row.condition, nameOf),
    ...recipientsOf(row, refOf),
    record_only: row.record_only,
    agent_id: row.agent_id,
    for_seconds: row.for_seconds,
    resolve_after_seconds: row.resolve_after_seconds,
    cooldown_seconds: row.cooldown_seconds,
    renotify_seconds: row.renotify_seconds,
    notify_on_resolve: row.notify_on_resolve,
    no_data: row.no_data,
    mode: row.mode,
    confirmations: toConfirmations(row.confirmations),
    message_template: row.message_template,
    is_enabled: row.is_enabled,
  };
}

/** Converts the channels of a rule. */
function recipientsOf(
  { channel_id, channel_ids, escalation }: Pick<PolicyRule, "channel_id" | "channel_ids" | "escalation">,
  refOf: (channel_id: string) => string | undefined,
) {
  const channels = new Set([...(channel_id ? [channel_id] : []), ...channel_ids]);
  return {
    channels: [...channels].flatMap((id) => refOf(id) ?? []),
    escalation: escalation.map((step) => ({
      after_seconds: step.after_seconds,
      channels: step.channel_ids.flatMap((id) => refOf(id) ?? []),
    })),
  };
}

export function toConfigPolicy(
  { name, selector, target, rule, is_enabled }: PolicyRow,
  refOf: (channel_id: string) => string | undefined,
): ConfigPolicy {
  const { name: ruleName, channel_id: _, channel_ids: __, escalation: ___, ...fields } = rule;
  const own = { ...(ruleName !== null && { name: ruleName }), ...fields };
  return { name, selector, target, rule: { ...own, ...recipientsOf(rule, refOf) }, is_enabled };
}

/** Compares values by their serialised text, for a deterministic order. */
export function byText(a: unknown, b: unknown): number {
  const [first, second] = [a, b].map((key) => (typeof key === "string" ? key : JSON.stringify(key))) as [
    string,
    string,
  ];
  return first < second ? -1 : Number(first > second);
}

/** Sorts like `byText`, and serialises each key only once: a target can have thousands of rules. */
export function sortByText<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown = (item) => item,
): Item[] {
  return items
    .map((item) => ({ item, text: JSON.stringify(keyOf(item)) }))
    .sort((a, b) => byText(a.text, b.text))
    .map(({ item }) => item);
}
