import { token2022Program } from "../accounts/address.ts";

type Instruction = { program: string; accounts: string[]; data: Buffer };

/** A movement of tokens whose amount only the keys of its parties can decrypt. */
export type ConfidentialMovement = {
  mint: string;
  /** The token accounts, and their owners where the transaction names them. */
  parties: string[];
};

/** The places of the mint and of the token accounts, by both numbers of the instruction. */
const places = new Map<string, { mint: number; accounts: number[] }>([
  // Transfer, and Transfer with a fee.
  ["27 7", { mint: 1, accounts: [0, 2] }],
  ["27 13", { mint: 1, accounts: [0, 2] }],
  // Withdrawals of withheld fees, from the mint and from accounts.
  ["37 1", { mint: 0, accounts: [1] }],
  ["37 2", { mint: 0, accounts: [1] }],
  // Mint and Burn.
  ["42 3", { mint: 1, accounts: [0] }],
  ["42 4", { mint: 1, accounts: [0] }],
]);

/**
 * Returns the confidential movements of instructions. Deposits and withdrawals change the public balance, so they have an
 * amount.
 */
export function confidentialMovements(
  instructions: readonly Instruction[],
  owners: ReadonlyMap<string, string | null>,
): ConfidentialMovement[] {
  return instructions.flatMap(({ program, accounts, data }) => {
    const place = program === token2022Program ? places.get(`${data[0]} ${data[1]}`) : undefined;
    const mint = place && accounts[place.mint];
    if (!mint) return [];
    const moved = place.accounts.flatMap((at) => accounts[at] ?? []);
    return [{ mint, parties: moved.flatMap((account) => [account, owners.get(account) ?? []].flat()) }];
  });
}
