import { familyOf } from "../../chains/families.ts";
import { makePause } from "../../lib/concurrency/pauses.ts";
import { type Names, noNames } from "../../meters/words.ts";
import { listNames, type Mention } from "../../store/engine/contract-names.ts";
import type { Db } from "../../store/open-store.ts";
import type { Evaluation } from "../evaluate/evaluation.ts";
import type { Fired } from "./change-set.ts";
import { describeEvent } from "./new-event.ts";

/** The number of addresses of one event that are looked up; a batch transfer can have thousands. */
const maxAddresses = 100;

/**
 * Names other contracts of the org in the texts of fired events by their label, such as the recipient of a transfer. Only
 * contracts are named that everyone who can see the event can see.
 */
export async function addNames(db: Db, chain: string, fired: readonly Fired[]): Promise<void> {
  // The events of a block often mention the same addresses, and a checksum takes longer than the rest.
  const parsed = new Map<string, string | undefined>();
  const mentions = new Map<string, Mention>();
  const mentioned: { one: Fired; addresses: Map<string, string> }[] = [];
  const pause = makePause();
  for (const firedEvent of fired) {
    await pause();
    const addresses = addressesIn(firedEvent.evaluation, parsed);
    mentioned.push({ one: firedEvent, addresses });
    for (const mention of mentionsOf(firedEvent.evaluation, addresses))
      mentions.set(`${mention.contract_id} ${mention.address}`, mention);
  }
  if (mentions.size === 0) return;
  const labels = await listNames(db, chain, [...mentions.values()]);
  for (const { one, addresses } of mentioned) {
    await pause();
    const names = namesOf(addresses, labels.get(one.rule.target.contract.id));
    if (names.size > 0) Object.assign(one.event, describeEvent(one.evaluation, names));
  }
}

/** Finds the names for the texts of one event, which need not have happened. */
export async function findNames(db: Db, evaluation: Evaluation): Promise<Names> {
  const { contract } = evaluation.rule.target;
  const addresses = addressesIn(evaluation, new Map());
  const mentions = mentionsOf(evaluation, addresses);
  if (mentions.length === 0) return noNames;
  const labels = await listNames(db, contract.subject.chain.chain, mentions);
  return namesOf(addresses, labels.get(contract.id));
}

function namesOf(
  addresses: ReadonlyMap<string, string>,
  labels: ReadonlyMap<string, string> = new Map(),
): Names {
  return new Map(
    [...addresses].flatMap(([text, address]) => {
      const label = labels.get(address);
      return label === undefined ? [] : [[text, label]];
    }),
  );
}

function mentionsOf({ rule }: Evaluation, addresses: ReadonlyMap<string, string>): Mention[] {
  const { id: contract_id, org_id } = rule.target.contract;
  return [...new Set(addresses.values())].map((address) => ({ contract_id, org_id, address }));
}

/** The addresses that the texts and the explanation of an event can contain, each with its canonical spelling. */
function addressesIn(
  { rule, cause, windowResult }: Evaluation,
  parsed: Map<string, string | undefined>,
): Map<string, string> {
  const { config, contract } = rule.target;
  const { parseAddress } = familyOf(contract.subject.chain);
  const { evidence } = cause ?? windowResult.window.at(-1) ?? {};
  const names = new Map<string, string>();
  const visit = (value: unknown): void => {
    if (names.size === maxAddresses) return;
    if (typeof value === "string") {
      if (!parsed.has(value)) parsed.set(value, addressPattern.test(value) ? parseAddress(value) : undefined);
      const address = parsed.get(value);
      if (address !== undefined) names.set(value, address);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  [rule.group, evidence, config].forEach(visit);
  return names;
}

/** Spares the families texts that are no addresses: hexadecimal with a prefix, or base58. */
const addressPattern = /^(0x[0-9a-f]{40}|[1-9a-z]{32,44})$/i;
