import type { ExaminedContract, ReadState, TokenAccount } from "../../family.ts";
import { chooseVaults } from "./choose-vaults.ts";
import { unpackVaults } from "./vault.ts";

/**
 * Finds the vaults of a program with one search for all contracts that monitor it, and returns for each contract those to follow,
 * which hold one of its tokens; undefined if the search failed.
 */
export async function findFollowedVaults(
  contracts: readonly ExaminedContract[],
  read: ReadState,
): Promise<TokenAccount[][] | undefined> {
  const known = contracts.map(knownVaultsOf);
  const program = contracts[0]?.subject.address;
  if (program === undefined) return [];
  const all = new Map(known.flat().map((one) => [`${one.account} ${one.mint} ${one.owner}`, one]));
  const [result] = await read([{ kind: "vaults", program, known: [...all.values()] }]);
  const found = unpackVaults(result);
  return found && contracts.map(({ tokens }, at) => chooseVaults(found, known[at] ?? [], tokens));
}

/** The vaults that a contract follows, of the tokens that it measures. */
function knownVaultsOf({ subject: { tokenAccounts = [] }, tokens }: ExaminedContract) {
  return tokenAccounts.flatMap(({ account, mint, owner }) =>
    owner && tokens.includes(mint) ? [{ account, mint, owner }] : [],
  );
}
