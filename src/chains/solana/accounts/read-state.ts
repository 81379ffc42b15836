import { z } from "zod";
import type { Read, ReadResult } from "../../block.ts";
import type { RpcReply } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { readCalledAccounts } from "../history/called-accounts.ts";
import { findVaults } from "../vaults/find-vaults.ts";
import type { VaultEvidence } from "../vaults/vault-evidence.ts";
import { packAccount, packAmount, type TokenAmount } from "./account-state.ts";
import { type AccountRead, type FetchedAccount, fetchAccounts, problemOf } from "./fetch-accounts.ts";
import { isScaled, mintBytesWithExtensions, mintExtensionsOf } from "./mint-extensions.ts";
import { amountShape, readScaledBalance, readScaledSupply } from "./scaled-amounts.ts";
import { sendIndependently } from "./send-independently.ts";
import { shownAmount } from "./shown-amount.ts";
import { listTokenAccounts } from "./token-accounts.ts";
import { mintSupplyOf, tokenDataBytes, tokenHoldingOf } from "./token-data.ts";
import { unavailable } from "./unavailable.ts";
import { vaultBalanceAccounts, vaultBalanceIn } from "./vault-balance.ts";

type BalanceRead = Extract<Read, { kind: "token_balance" }>;
type Accounts = ReadonlyMap<string, FetchedAccount>;
type Node = { rpc: Rpc; slot: number; prefer: number | undefined; evidence: VaultEvidence };

/**
 * Reads the current state, because Solana nodes do not keep past state. A node that has not reached the slot is rejected, so
 * the state is never older than the block. Each read fails independently.
 */
export async function readSolanaState(
  { rpc, slot, prefer, evidence }: Node,
  reads: readonly Read[],
): Promise<ReadResult[]> {
  if (reads.length === 0) return [];
  const balanceReads = reads.filter((read) => read.kind === "token_balance");
  const listings = reads.filter((read) => read.kind === "token_accounts");
  const [accounts, balances, owned] = await Promise.all([
    fetchAccounts(rpc, reads.flatMap(accountsOf), slot, prefer),
    readBalances(rpc, balanceReads, slot, prefer),
    listTokenAccounts(rpc, listings, slot, prefer),
  ]);
  return Promise.all(
    reads.map((read) => {
      if (read.kind === "token_balance") return balanceIn(balances, read);
      if (read.kind === "token_accounts") return owned(read) ?? unavailable("there is no result");
      if (read.kind === "called_accounts") return readCalledAccounts(rpc, read, prefer);
      if (read.kind === "vaults") return findVaults({ rpc, slot, prefer, evidence }, read);
      if (read.kind === "vault_balance") return vaultBalanceIn(accounts, read, { rpc, prefer });
      return interpret(read, accounts, (mint) => readScaledSupply(rpc, mint, prefer));
    }),
  );
}

const hiddenSupplyProblem = "a part of it is confidential, which only the keys of its owner can decrypt";

/** The accounts that a read needs; none for a read that is a search. */
function accountsOf(read: Read): AccountRead[] {
  switch (read.kind) {
    case "balance":
      return [{ address: read.address, length: 0 }];
    case "account":
      return [{ address: read.address, length: read.length }];
    case "token_supply":
      return [{ address: read.mint, length: mintBytesWithExtensions }];
    case "vault_balance":
      return vaultBalanceAccounts(read);
    case "token_balance":
    case "token_accounts":
    case "called_accounts":
    case "vaults":
      return [];
    default:
      throw new Error(`Solana does not support reads of kind ${read.kind}.`);
  }
}

function interpret(
  read: Read,
  accounts: Accounts,
  readScaled: (mint: string) => Promise<ReadResult>,
): ReadResult | Promise<ReadResult> {
  const address = read.kind === "token_supply" ? read.mint : "address" in read ? read.address : "";
  const fetched = accounts.get(address);
  if (!fetched?.ok) return unavailable(fetched?.problem ?? "there is no result");
  const { account } = fetched;
  if (read.kind === "balance") return { ok: true, data: `0x${account.lamports.toString(16)}` };
  if (read.kind === "account")
    return { ok: true, data: packAccount({ ...account, data: account.data.subarray(0, read.length) }) };
  const supply = mintSupplyOf(account);
  const extensions = mintExtensionsOf(account);
  if (extensions.hasHiddenSupply) return unavailable(hiddenSupplyProblem);
  if (supply && isScaled(extensions)) return readScaled(address);
  if (supply) return { ok: true, data: packAmount(supply) };
  return unavailable(
    account.owner === null ? "the account does not exist" : "the account is not a token mint",
  );
}

const holdingsShape = z.object({
  value: z.array(
    z.object({
      account: z.object({
        data: z.object({
          parsed: z.object({
            info: z.object({
              tokenAmount: amountShape,
            }),
          }),
        }),
      }),
    }),
  ),
});

type Balances = Map<string, ReadResult>;

const keyOf = ({ holder, mint }: BalanceRead) => `${holder} ${mint}`;

function balanceIn(balances: Balances, read: BalanceRead): ReadResult {
  return balances.get(keyOf(read)) ?? unavailable("there is no result");
}

/** Sums all token accounts of each holder. A holder without any may be a token account itself. */
async function readBalances(
  rpc: Rpc,
  reads: readonly BalanceRead[],
  slot: number,
  prefer: number | undefined,
): Promise<Balances> {
  const balances: Balances = new Map();
  if (reads.length === 0) return balances;
  const distinct = [...new Map(reads.map((read) => [keyOf(read), read])).values()];
  const options = { commitment: "confirmed", minContextSlot: slot, encoding: "jsonParsed" };
  const calls = distinct.map(({ holder, mint }) => ({
    method: "getTokenAccountsByOwner",
    params: [holder, { mint }, options],
  }));
  const replies = await sendIndependently(rpc, calls, prefer);
  const withoutAny: BalanceRead[] = [];
  for (const [index, read] of distinct.entries()) {
    const total = totalOf(replies[index] as RpcReply);
    if (total === "none") withoutAny.push(read);
    else balances.set(keyOf(read), total);
  }
  const searches = withoutAny.flatMap(({ holder, mint }) => [
    { address: holder, length: tokenDataBytes },
    { address: mint, length: mintBytesWithExtensions },
  ]);
  const accounts: Accounts =
    searches.length > 0 ? await fetchAccounts(rpc, searches, slot, prefer) : new Map();
  for (const read of withoutAny) balances.set(keyOf(read), await ownBalance(read, accounts, { rpc, prefer }));
  return balances;
}

/** The sum of all holdings, "none" without any, or why they could not be read. */
function totalOf(reply: RpcReply): ReadResult | "none" {
  const parsed = "result" in reply ? holdingsShape.safeParse(reply.result) : undefined;
  if (!parsed?.success) return unavailable(problemOf(reply));
  const held = parsed.data.value.map(({ account }) => account.data.parsed.info.tokenAmount);
  const [first] = held;
  if (!first) return "none";
  const amount = held.reduce((sum, account) => sum + shownAmount(account), 0n);
  return { ok: true, data: packAmount({ amount, decimals: first.decimals }) };
}

/** The balance of a token account, else zero with the decimals of the mint. */
async function ownBalance(
  { holder, mint }: BalanceRead,
  accounts: Accounts,
  { rpc, prefer }: { rpc: Rpc; prefer: number | undefined },
): Promise<ReadResult> {
  const [account, token] = [accounts.get(holder), accounts.get(mint)];
  if (!account?.ok) return unavailable(account?.problem ?? "there is no result");
  if (!token?.ok)
    return unavailable(`the token could not be read: ${token?.problem ?? "there is no result"}`);
  const supply = mintSupplyOf(token.account);
  if (!supply) return unavailable("the token could not be read: it is not a token mint");
  const holding = tokenHoldingOf(account.account);
  if (holding?.mint === mint && isScaled(mintExtensionsOf(token.account)))
    return readScaledBalance(rpc, [holder], supply.decimals, prefer);
  const balance: TokenAmount = {
    amount: holding?.mint === mint ? holding.amount : 0n,
    decimals: supply.decimals,
  };
  return { ok: true, data: packAmount(balance) };
}
