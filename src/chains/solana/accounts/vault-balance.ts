import { z } from "zod";
import type { Read, ReadResult } from "../../block.ts";
import type { RpcReply } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { packAmount } from "./account-state.ts";
import { type AccountRead, type FetchedAccount, problemOf } from "./fetch-accounts.ts";
import { isScaled, mintBytesWithExtensions, mintExtensionsOf } from "./mint-extensions.ts";
import { amountShape } from "./scaled-supply.ts";
import { settleCalls } from "./settle-calls.ts";
import { shownAmount } from "./shown-amount.ts";
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
    const found = accounts.get(account);
    if (!found?.ok) return unavailable(found?.problem ?? "there is no result");
    const holding = tokenHoldingOf(found.account);
    const isHeld = holding?.owner === owner && holding.mint === read.mint && holding.amount > 0n;
    if (isHeld) held.push({ account, amount: holding.amount });
  }
  if (isScaled(mintExtensionsOf(token.account))) return scaledBalance(held, supply.decimals, node);
  return totalOf(
    held.map(({ amount }) => amount),
    supply.decimals,
  );
}

const balanceShape = z.object({ value: amountShape });

/** Only nodes compute the factor of a mint that scales its amounts. */
async function scaledBalance(
  held: readonly { account: string }[],
  decimals: number,
  { rpc, prefer }: Node,
): Promise<ReadResult> {
  const calls = held.map(({ account }) => ({
    method: "getTokenAccountBalance",
    params: [account, { commitment: "confirmed" }],
  }));
  const replies = calls.length > 0 ? await settleCalls(rpc, calls, prefer) : [];
  const amounts: bigint[] = [];
  for (const reply of replies) {
    const parsed = "result" in reply ? balanceShape.safeParse(reply.result) : undefined;
    if (!parsed?.success) return unavailable(problemOf(reply as RpcReply));
    amounts.push(shownAmount(parsed.data.value));
  }
  return totalOf(amounts, decimals);
}

function totalOf(amounts: readonly bigint[], decimals: number): ReadResult {
  return { ok: true, data: packAmount({ amount: amounts.reduce((sum, one) => sum + one, 0n), decimals }) };
}
