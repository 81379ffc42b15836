import type { App } from "../../../app.ts";
import type { ConfigDocument } from "../../../wire/imports/configuration.ts";
import type { OrgCaller } from "../../caller.ts";
import { type ContractState, loadState, type State, type TargetState } from "./org-state.ts";
import { targetNames } from "./other-targets.ts";
import { makeSecretNames } from "./secret-refs.ts";
import {
  byText,
  toConfigChannel,
  toConfigContract,
  toConfigPolicy,
  toConfigRule,
  toConfigTarget,
} from "./to-document.ts";

/** Exports the org as one document, limited to contracts that the caller can see. The output is deterministic. */
export async function exportConfig(app: App, caller: OrgCaller): Promise<ConfigDocument> {
  const state = await app.db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute((tx) => loadState(tx, caller));
  return toDocument(state);
}

function toDocument(state: State): ConfigDocument {
  const { channels, contracts, policies } = state;
  const nameSecret = makeSecretNames();
  const refs = new Map([...channels].map(([ref, { id }]) => [id, ref]));
  const refOf = (id: string) => refs.get(id);
  const names = targetNames(state);
  const nameOf = (id: string) => names.get(id);
  return {
    version: 1,
    channels: [...channels]
      .sort(([a], [b]) => byText(a, b))
      .map(([ref, row]) => toConfigChannel(ref, row, nameSecret)),
    contracts: contracts
      .map((contract) => contractOf(contract, { refOf, nameOf }))
      .sort((a, b) => byText([a.chain, a.address], [b.chain, b.address])),
    policies: policies.map((policy) => toConfigPolicy(policy, refOf)).sort((a, b) => byText(a.name, b.name)),
  };
}

type Find = (id: string) => string | undefined;
/** Find the reference of a channel and the name of a target. */
type Naming = { refOf: Find; nameOf: Find };

function contractOf({ row, targets }: ContractState, naming: Naming) {
  return {
    ...toConfigContract(row),
    targets: targets
      .filter(({ row: { policy_id } }) => policy_id === null)
      .map((target) => targetOf(target, naming))
      .sort(byText),
  };
}

function targetOf({ row, rules }: TargetState, { refOf, nameOf }: Naming) {
  return {
    ...toConfigTarget(row),
    rules: rules.map((rule) => toConfigRule(rule, refOf, nameOf)).sort(byText),
  };
}
