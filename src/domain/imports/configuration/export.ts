import type { App } from "../../../app.ts";
import type { ConfigDocument } from "../../../wire/imports/configuration.ts";
import type { OrgCaller } from "../../caller.ts";
import { type ContractState, loadState, type State, type TargetState } from "./org-state.ts";
import { makeSecretNames } from "./secret-refs.ts";
import { byText, toConfigChannel, toConfigContract, toConfigRule, toConfigTarget } from "./to-document.ts";

/** Exports the org as one document, limited to contracts that the caller can see. The output is deterministic. */
export async function exportConfig(app: App, caller: OrgCaller): Promise<ConfigDocument> {
  const state = await app.db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute((tx) => loadState(tx, caller));
  return toDocument(state);
}

function toDocument({ channels, contracts }: State): ConfigDocument {
  const nameSecret = makeSecretNames();
  const refs = new Map([...channels].map(([ref, { id }]) => [id, ref]));
  const refOf = (id: string) => refs.get(id);
  return {
    version: 1,
    channels: [...channels]
      .sort(([a], [b]) => byText(a, b))
      .map(([ref, row]) => toConfigChannel(ref, row, nameSecret)),
    contracts: contracts
      .map((contract) => contractOf(contract, refOf))
      .sort((a, b) => byText([a.chain, a.address], [b.chain, b.address])),
  };
}

type RefOf = (channel_id: string) => string | undefined;

function contractOf({ row, targets }: ContractState, refOf: RefOf) {
  return { ...toConfigContract(row), targets: targets.map((target) => targetOf(target, refOf)).sort(byText) };
}

function targetOf({ row, rules }: TargetState, refOf: RefOf) {
  return { ...toConfigTarget(row), rules: rules.map((rule) => toConfigRule(rule, refOf)).sort(byText) };
}
