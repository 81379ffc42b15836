import type { ReadResult } from "../../chains/block.ts";
import { unpackAccount } from "../../chains/solana/accounts/account-state.ts";
import { codeStateOf, upgradeableLoader } from "../../chains/solana/accounts/program-account.ts";
import { UnreadableState } from "../state-results.ts";

/**
 * Returns the slot of the last deployment and the upgrade authority; the slot of a closed or retracted program is null. Throws
 * UnreadableState.
 */
export function readProgramState(
  results: readonly (ReadResult | undefined)[],
  address: string,
): { slot: number | null; authority: string | null } {
  const [program, data] = results.map(unpackAccount);
  const problem = results.find((result) => result && !result.ok);
  if (!program || !data) {
    const reason = problem && !problem.ok ? problem.problem.replace(/\.$/, "").slice(0, 200) : "";
    throw new UnreadableState(`The program could not be read: ${reason || "there is no result"}.`);
  }
  const state = codeStateOf(results, address);
  if (state) return state;
  if (program.owner === null) throw new UnreadableState("There is no program at this address.");
  if (program.owner !== upgradeableLoader) throw new UnreadableState("The program is not upgradeable.");
  return { slot: null, authority: null };
}
