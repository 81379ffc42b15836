import type { ExaminedContract, ReadState, TokenAccount } from "../../family.ts";
import { chooseVaults } from "./choose-vaults.ts";
import { unpackVaults } from "./vault.ts";

/** Finds the vaults of a program that hold one of the tokens, and returns those to follow; undefined if the search failed. */
export async function findFollowedVaults(
  { subject: { address, tokenAccounts = [] }, tokens }: ExaminedContract,
  read: ReadState,
): Promise<TokenAccount[] | undefined> {
  const known = tokenAccounts.flatMap(({ account, mint, owner }) =>
    owner && tokens.includes(mint) ? [{ account, mint, owner }] : [],
  );
  const [result] = await read([{ kind: "vaults", program: address, known }]);
  const found = unpackVaults(result);
  return found && chooseVaults(found, known, tokens);
}
