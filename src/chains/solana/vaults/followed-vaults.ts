import type { ExaminedContract, FoundTokenAccounts, ReadState } from "../../family.ts";
import { chooseVaults } from "./choose-vaults.ts";
import { unpackVaults, type Vault } from "./vault.ts";

/**
 * Finds the vaults of a program with one search for all contracts that monitor it, and returns for each contract those to follow,
 * which hold one of its tokens; undefined if the search failed.
 */
export async function findFollowedVaults(
  contracts: readonly ExaminedContract[],
  read: ReadState,
): Promise<FoundTokenAccounts[] | undefined> {
  const knownVaults = contracts.map(knownVaultsOf);
  const program = contracts[0]?.subject.address;
  if (program === undefined) return [];
  const all = new Map(
    knownVaults.flat().map((vault) => [`${vault.account} ${vault.mint} ${vault.owner}`, vault]),
  );
  const [result] = await read([{ kind: "vaults", program, known: [...all.values()] }]);
  const vaults = unpackVaults(result);
  return vaults && contracts.map(({ tokens }, index) => choose(vaults, knownVaults[index] ?? [], tokens));
}

function choose(
  vaults: readonly Vault[],
  known: ReturnType<typeof knownVaultsOf>,
  tokens: readonly string[],
): FoundTokenAccounts {
  const followed = chooseVaults(vaults, known, tokens);
  const isFollowed = new Set(followed.map(({ account }) => account));
  const others = vaults.filter(
    ({ account, mint, amount }) => tokens.includes(mint) && amount > 0n && !isFollowed.has(account),
  );
  return { followed, unfollowed: others.length };
}

/** The vaults that a contract follows, of the tokens that it measures. */
function knownVaultsOf({ subject: { tokenAccounts = [] }, tokens }: ExaminedContract) {
  return tokenAccounts.flatMap(({ account, mint, owner }) =>
    owner && tokens.includes(mint) ? [{ account, mint, owner }] : [],
  );
}
