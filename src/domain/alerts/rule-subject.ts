import type { Chain } from "../../chains/chain.ts";
import { type AbiIndex, emptyAbi } from "../../chains/evm/abi/abi.ts";
import { familyOf } from "../../chains/families.ts";
import { chainOf } from "../../chains/index.ts";
import { pollingSecondsOf } from "../../pipeline/index.ts";
import { findContract } from "../../store/contracts/contracts.ts";
import { findWatched } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { orgViewer } from "../../store/viewer.ts";
import { knownInterface } from "../inspection/contract-facts.ts";

/** The contract that rules and targets are about, as far as the names and units in them depend on it. */
export type RuleSubject = {
  chain: Pick<Chain, "kind">;
  /** The ABI by which its activity is decoded. */
  abi: AbiIndex;
  /** The events and functions of the contract; undefined while they are not completely known. */
  events: AbiIndex["events"] | undefined;
  functions: AbiIndex["functions"] | undefined;
  /** The seconds between two readings of its state. */
  pollingSeconds: number;
};

/** Loads the contract that a rule is about, with the ABI of the code behind it. */
export async function loadSubject(
  db: Db,
  org_id: string,
  contract_id: string,
): Promise<RuleSubject | undefined> {
  const watched = await findWatched(db, org_id, contract_id);
  const row = watched && (await findContract(db, orgViewer(org_id), contract_id));
  const chain = row && chainOf(row.chain);
  if (!row || !chain) return undefined;
  return {
    chain,
    abi: familyOf(chain).compileSubject({ ...watched, chain }).abi ?? emptyAbi,
    ...knownInterface(row, watched),
    pollingSeconds: pollingSecondsOf(watched),
  };
}
