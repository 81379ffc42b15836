import { InvalidRequest } from "../../../errors/app-error.ts";
import type { ConfigContract } from "../../../wire/imports/configuration.ts";
import { makeChainFinder } from "../../contracts/chains.ts";
import { type CheckedContract, checkContract } from "../../contracts/new-contract.ts";
import { type Loc, refuse, type Work } from "./change-log.ts";
import type { ContractState } from "./org-state.ts";

/** A contract of the document, and the one that is there if any. */
export type Located = {
  wanted: ConfigContract;
  loc: Loc;
  state: ContractState | undefined;
  /** Of one that is new. */
  checked: CheckedContract | undefined;
};

/** Finds the contracts of a document among those that are there, however their addresses are spelt. */
export async function locateContracts(work: Work, contracts: ConfigContract[]): Promise<Located[]> {
  const findChain = await makeChainFinder(work.app);
  const known = new Map(work.state.contracts.map((state) => [placeOf(state.row), state]));
  const seen = new Set<string>();
  return contracts.flatMap((wanted, index) => {
    const loc = ["body", "contracts", index];
    // One that is there may be on a chain that was switched off since.
    const exact = known.get(placeOf(wanted));
    const checked = exact ? undefined : tryCheck(work, findChain, wanted, loc);
    const place = checked
      ? placeOf({ chain: checked.chain.chain, address: checked.address })
      : placeOf(wanted);
    if (!exact && !checked) return [];
    if (seen.has(place)) {
      refuse(work, loc, "is there twice");
      return [];
    }
    seen.add(place);
    const state = exact ?? known.get(place);
    return [{ wanted, loc, state, checked: state ? undefined : checked }];
  });
}

function tryCheck(
  { errors }: Work,
  findChain: Parameters<typeof checkContract>[0],
  { chain, address, label }: ConfigContract,
  loc: Loc,
): CheckedContract | undefined {
  try {
    return checkContract(findChain, { chain, address, label }, loc);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    errors.push(...error.issues);
    return undefined;
  }
}

/** What a document calls a contract. */
export function placeOf({ chain, address }: { chain: string; address: string }): string {
  return `${chain}:${address}`;
}
