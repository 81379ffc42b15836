import type { Read, ReadResult } from "../../block.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { packAmount } from "./account-state.ts";
import type { AccountRead, FetchedAccount } from "./fetch-accounts.ts";
import { isScaled, mintBytesWithExtensions, mintExtensionsOf } from "./mint-extensions.ts";
import { readScaledBalance } from "./scaled-amounts.ts";
import { mintSupplyOf, tokenDataBytes, tokenHoldingOf } from "./token-data.ts";
import { unavailable } from "./unavailable.ts";

type VaultRead = Extract<Read, { kind: "vault_balance" }>;
type Accounts = ReadonlyMap<string, FetchedAccount>;
type Node = { rpc: Rpc; prefer: number | undefined };

/** The accounts that the balance of vaults needs: a hundred of them take one call. */
export function vaultBalanceAccounts({ mint, vaults }: VaultRead): AccountRead[] {
  return [
    { address: mint, length: mintBytesWithExtensions },
    ...vaults.map(({ account }) => ({ address: account, length: tokenDataBytes })),
  ];
}

/** Sums what vaults hold. One that was closed or given to another owner holds nothing any more. */
export async function vaultBalanceIn(accounts: Accounts, read: VaultRead, node: Node): Promise<ReadResult> {
  const token = accounts.get(read.mint);
  if (!token?.ok)
    return unavailable(`the token could not be read: ${token?.problem ?? "there is no result"}`);
  const supply = mintSupplyOf(token.account);
  if (!supply) return unavailable("the token could not be read: it is not a token mint");
  const held: { account: string; amount: bigint }[] = [];
  for (const { account, owner } of read.vaults) {
    const fetched = accounts.get(account);
    if (!fetched?.ok) return unavailable(fetched?.problem ?? "there is no result");
    const holding = tokenHoldingOf(fetched.account);
    const isHeld = holding?.owner === owner && holding.mint === read.mint && holding.amount > 0n;
    if (isHeld) held.push({ account, amount: holding.amount });
  }
  if (isScaled(mintExtensionsOf(token.account))) {
    const vaults = held.map(({ account }) => account);
    return readScaledBalance(node.rpc, vaults, supply.decimals, node.prefer);
  }
  return totalOf(
    held.map(({ amount }) => amount),
    supply.decimals,
  );
}

function totalOf(amounts: readonly bigint[], decimals: number): ReadResult {
  return {
    ok: true,
    data: packAmount({ amount: amounts.reduce((sum, amount) => sum + amount, 0n), decimals }),
  };
}
