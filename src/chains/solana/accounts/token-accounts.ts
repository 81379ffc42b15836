import { z } from "zod";
import type { Hex, ReadResult } from "../../block.ts";
import type { RpcReply } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import {
  addressOfBytes,
  bytesOfAddress,
  parseSolanaAddress,
  token2022Program,
  tokenProgram,
} from "./address.ts";
import { problemOf } from "./fetch-accounts.ts";
import { amountShape } from "./scaled-amounts.ts";
import { sendIndependently } from "./send-independently.ts";
import { shownAmount } from "./shown-amount.ts";

/** A token account and what it holds, in the smallest unit. */
export type OwnedAccount = { account: string; mint: string; amount: bigint; decimals: number };

/** The bytes of one packed account. */
export const ownedAccountBytes = 73;
/** An owner may have many thousand accounts, most of them with worthless tokens that were sent to it. */
const maxAccounts = 2_000;
const maxAmount = 2n ** 64n - 1n;

const address = z.string().refine((text) => parseSolanaAddress(text) !== undefined);
/** A node cannot decode an account whose mint was closed, which is only possible when nobody holds the token any more. */
const encoded = z
  .tuple([z.string(), z.literal("base64")])
  .refine(([text]) => isEmpty(Buffer.from(text, "base64")))
  .transform(() => undefined);
const decoded = z
  .object({ parsed: z.object({ info: z.object({ mint: address, tokenAmount: amountShape }) }) })
  .transform(({ parsed }) => parsed.info);
const shape = z.object({
  value: z.array(z.object({ pubkey: address, account: z.object({ data: z.union([decoded, encoded]) }) })),
});

function isEmpty(data: Buffer): boolean {
  return data.length >= 72 && data.readBigUInt64LE(64) === 0n;
}

/** Whose token accounts are listed: of one token, which takes one call, or of all, which takes one for each token program. */
export type OwnerRead = { owner: string; mint?: string | undefined };

/** Lists the token accounts of owners. Each fails independently. */
export async function listTokenAccounts(
  rpc: Rpc,
  reads: readonly OwnerRead[],
  slot: number,
  prefer: number | undefined,
): Promise<(read: OwnerRead) => ReadResult | undefined> {
  const distinct = new Map(reads.map((read) => [keyOf(read), read]));
  const options = { commitment: "confirmed", minContextSlot: slot, encoding: "jsonParsed" };
  const calls = [...distinct].flatMap(([key, { owner, mint }]) =>
    filtersOf(mint).map((filter) => ({
      key,
      call: { method: "getTokenAccountsByOwner", params: [owner, filter, options] },
    })),
  );
  const sent = calls.map(({ call }) => call);
  const replies = sent.length > 0 ? await sendIndependently(rpc, sent, prefer) : [];
  const byRead = Map.groupBy(replies.keys(), (index) => calls[index]?.key);
  const results = new Map(
    [...byRead].map(([key, indexes]) => [key, resultOf(indexes.map((index) => replies[index] as RpcReply))]),
  );
  return (read) => results.get(keyOf(read));
}

function filtersOf(mint: string | undefined): object[] {
  return mint ? [{ mint }] : [tokenProgram, token2022Program].map((programId) => ({ programId }));
}

function keyOf({ owner, mint }: OwnerRead): string {
  return `${owner} ${mint ?? ""}`;
}

function resultOf(replies: readonly RpcReply[]): ReadResult {
  const accounts: OwnedAccount[] = [];
  for (const reply of replies) {
    const parsed = "result" in reply ? shape.safeParse(reply.result) : undefined;
    if (!parsed?.success) return { ok: false, code: "unavailable", problem: problemOf(reply) };
    for (const { pubkey, account } of parsed.data.value) {
      if (!account.data) continue;
      const { mint, tokenAmount } = account.data;
      const amount = shownAmount(tokenAmount);
      if (amount <= maxAmount)
        accounts.push({ account: pubkey, mint, amount, decimals: tokenAmount.decimals });
    }
  }
  return { ok: true, data: packOwnedAccounts(keepLargest(accounts, maxAccounts)) };
}

/** Keeps the accounts that hold the most of each token. Amounts of different tokens cannot be compared. */
export function keepLargest<Account extends OwnedAccount>(
  accounts: readonly Account[],
  max: number,
): Account[] {
  if (accounts.length <= max) return [...accounts];
  const largestFirst = accounts.toSorted((a, b) => (a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0));
  const ranks = [...Map.groupBy(largestFirst, ({ mint }) => mint).values()].flatMap((ofToken) =>
    ofToken.map((account, rank) => ({ account, rank })),
  );
  return ranks
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, max)
    .map(({ account }) => account);
}

export function packOwnedAccounts(accounts: readonly OwnedAccount[]): Hex {
  const parts = accounts.flatMap(({ account, mint, amount, decimals }) => {
    const tail = Buffer.alloc(9);
    tail.writeBigUInt64LE(amount);
    tail[8] = decimals;
    return [bytesOfAddress(account), bytesOfAddress(mint), tail];
  });
  return `0x${Buffer.concat(parts).toString("hex")}`;
}

export function unpackOwnedAccounts(result: ReadResult | undefined): OwnedAccount[] | undefined {
  if (!result?.ok) return undefined;
  const bytes = Buffer.from(result.data.slice(2), "hex");
  return Array.from({ length: Math.floor(bytes.length / ownedAccountBytes) }, (_, index) => {
    const record = bytes.subarray(index * ownedAccountBytes, (index + 1) * ownedAccountBytes);
    return {
      account: addressOfBytes(record.subarray(0, 32)),
      mint: addressOfBytes(record.subarray(32, 64)),
      amount: record.readBigUInt64LE(64),
      decimals: record[72] as number,
    };
  });
}
