import { listPolicies, type PolicyRow } from "../../../store/alerts/policies.ts";
import { listRules, type RuleRow } from "../../../store/alerts/rules.ts";
import { type ChannelRow, listChannels } from "../../../store/channels/channels.ts";
import { type ContractRow, listContracts } from "../../../store/contracts/contracts.ts";
import { listTargetsOn, type TargetRow } from "../../../store/contracts/targets.ts";
import type { Db } from "../../../store/open-store.ts";
import type { OrgCaller } from "../../caller.ts";
import { viewerOf } from "../../viewer-of.ts";

/** The channels, policies, contracts, targets and rules of an org that the caller can see, without the rules of policies. */
export type State = {
  /** By reference. */
  channels: Map<string, ChannelRow>;
  policies: PolicyRow[];
  contracts: ContractState[];
};
export type ContractState = { row: ContractRow; targets: TargetState[] };
export type TargetState = { row: TargetRow; rules: RuleRow[] };

export async function loadState(db: Db, caller: OrgCaller): Promise<State> {
  const channels = channelsByRef(await listChannels(db, caller.org_id));
  const contracts = await listContracts(db, viewerOf(caller));
  const ids = contracts.map(({ id }) => id);
  const targets = Map.groupBy(await listTargetsOn(db, caller.org_id, ids), (row) => row.contract_id);
  const unmanagedRules = (await listRules(db, viewerOf(caller), {})).filter(
    ({ policy_id }) => policy_id === null,
  );
  const rules = Map.groupBy(unmanagedRules, (row) => row.target_id);
  const targetsOf = (contract: ContractRow) =>
    (targets.get(contract.id) ?? []).map((row) => ({ row, rules: (rules.get(row.id) ?? []).toReversed() }));
  const policies = await listPolicies(db, caller.org_id);
  return { channels, policies, contracts: contracts.map((row) => ({ row, targets: targetsOf(row) })) };
}

/** The reference of a channel is its name; later channels with the same name get a number appended. */
export function channelsByRef(rows: readonly ChannelRow[]): Map<string, ChannelRow> {
  const byRef = new Map<string, ChannelRow>();
  /** The number to try next, so that many channels of one name do not try all numbers again. */
  const numbers = new Map<string, number>();
  for (const row of rows) {
    let ref = row.name;
    let number = numbers.get(row.name) ?? 2;
    for (; byRef.has(ref); number++) ref = `${row.name} #${number}`;
    numbers.set(row.name, number);
    byRef.set(ref, row);
  }
  return byRef;
}
