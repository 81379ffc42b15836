import { InvalidRequest } from "../../../errors/app-error.ts";
import type { ConfigContract } from "../../../wire/imports/configuration.ts";
import { makeChainFinder } from "../../contracts/chains.ts";
import { type CheckedContract, checkContract } from "../../contracts/new-contract.ts";
import { addError, type Loc, type Work } from "./change-log.ts";
import type { ContractState } from "./org-state.ts";

/** A contract of the document, and the existing contract, if any. */
export type Located = {
  wanted: ConfigContract;
  loc: Loc;
  state: ContractState | undefined;
  /** Set for a new contract. */
  checked: CheckedContract | undefined;
};

/** Matches the contracts of a document with existing ones, regardless of the notation of addresses. */
export async function locateContracts(work: Work, contracts: ConfigContract[]): Promise<Located[]> {
  const findChain = await makeChainFinder(work.app, work.tx);
  const statesByRef = new Map(work.state.contracts.map((state) => [contractRef(state.row), state]));
  const seenRefs = new Set<string>();
  return contracts.flatMap((wanted, index) => {
    const loc = ["body", "contracts", index];
    // An existing contract may be on a chain that is disabled now, which validation would reject.
    const exact = statesByRef.get(contractRef(wanted));
    const checked = exact ? undefined : tryCheck(work, findChain, wanted, loc);
    const ref = checked
      ? contractRef({ chain: checked.chain.chain, address: checked.address })
      : contractRef(wanted);
    if (!exact && !checked) return [];
    if (seenRefs.has(ref)) {
      addError(work, loc, "is a duplicate");
      return [];
    }
    seenRefs.add(ref);
    const state = exact ?? statesByRef.get(ref);
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

/** The reference of a contract in a document. */
export function contractRef({ chain, address }: { chain: string; address: string }): string {
  return `${chain}:${address}`;
}
