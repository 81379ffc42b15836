import type { App } from "../../../app.ts";
import { makePause, type Pause } from "../../../lib/concurrency/pauses.ts";
import type { ConfigDocument } from "../../../wire/imports/configuration.ts";
import type { OrgCaller } from "../../caller.ts";
import { type ContractState, loadState, type State, type TargetState } from "./org-state.ts";
import { targetNames } from "./other-targets.ts";
import { makeSecretNames } from "./secret-refs.ts";
import {
  byText,
  sortByText,
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

async function toDocument(state: State): Promise<ConfigDocument> {
  const { channels, contracts, policies } = state;
  const nameSecret = makeSecretNames();
  const refs = new Map([...channels].map(([ref, { id }]) => [id, ref]));
  const refOf = (id: string) => refs.get(id);
  const names = targetNames(state);
  const nameOf = (id: string) => names.get(id);
  const pause = makePause();
  const converted: Awaited<ReturnType<typeof contractOf>>[] = [];
  for (const contract of contracts) converted.push(await contractOf(contract, { refOf, nameOf }, pause));
  return {
    version: 1,
    channels: [...channels]
      .sort(([a], [b]) => byText(a, b))
      .map(([ref, row]) => toConfigChannel(ref, row, nameSecret)),
    contracts: sortByText(converted, ({ chain, address }) => [chain, address]),
    policies: policies.map((policy) => toConfigPolicy(policy, refOf)).sort((a, b) => byText(a.name, b.name)),
  };
}

type Find = (id: string) => string | undefined;
/** Find the reference of a channel and the name of a target. */
type Naming = { refOf: Find; nameOf: Find };

async function contractOf({ row, targets }: ContractState, naming: Naming, pause: Pause) {
  const converted: ReturnType<typeof targetOf>[] = [];
  for (const target of targets.filter(({ row: { policy_id } }) => policy_id === null)) {
    converted.push(targetOf(target, naming));
    await pause();
  }
  await pause();
  return { ...toConfigContract(row), targets: sortByText(converted) };
}

function targetOf({ row, rules }: TargetState, { refOf, nameOf }: Naming) {
  return {
    ...toConfigTarget(row),
    rules: sortByText(rules.map((rule) => toConfigRule(rule, refOf, nameOf))),
  };
}
