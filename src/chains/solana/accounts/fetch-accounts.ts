import { z } from "zod";
import { RpcError } from "../../rpc/failure.ts";
import type { RpcCall, RpcReply } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { AccountState } from "./account-state.ts";
import { parseSolanaAddress } from "./address.ts";
import { lamports } from "./lamports.ts";
import { sendIndependently } from "./send-independently.ts";

/** An account and how many of its first bytes to read. */
export type AccountRead = { address: string; length: number };

/** An account, or why it could not be read. */
export type FetchedAccount = { ok: true; account: AccountState } | { ok: false; problem: string };

/** The accounts that nodes return in one call. */
const maxAccounts = 100;
/** Larger parts of accounts are read one by one, so that no reply is too large. */
export const maxSharedBytes = 1_024;

const shape = z.object({
  owner: z.string().refine((text) => parseSolanaAddress(text) !== undefined),
  executable: z.boolean(),
  lamports,
  data: z.tuple([z.string(), z.literal("base64")]),
});
const manyShape = z.object({ value: z.array(shape.nullable()) });
const oneShape = z.object({ value: shape.nullish() });

/** Reads accounts, many per call, by their address. Each fails independently. The node must have processed the slot. */
export async function fetchAccounts(
  rpc: Rpc,
  reads: readonly AccountRead[],
  slot: number,
  prefer: number | undefined,
): Promise<Map<string, FetchedAccount>> {
  const longest = new Map<string, number>();
  for (const { address, length } of reads) longest.set(address, Math.max(length, longest.get(address) ?? 0));
  const all = [...longest].map(([address, length]) => ({ address, length }));
  const small = all.filter(({ length }) => length <= maxSharedBytes);
  const large = all.filter(({ length }) => length > maxSharedBytes);
  const parts = [...chunksOf(small), ...large.map((read) => [read])];
  const calls = parts.map((part) => toCall(part, slot));
  const replies = await sendIndependently(rpc, calls, prefer);
  const found = new Map<string, FetchedAccount>();
  const again: AccountRead[] = [];
  for (const [position, part] of parts.entries()) {
    const accounts = readReply(part, replies[position] as RpcReply);
    for (const [index, read] of part.entries()) {
      if (accounts) found.set(read.address, accounts[index] as FetchedAccount);
      else again.push(read);
    }
  }
  for (const [address, fetchedAccount] of await fetchSeparately(rpc, again, slot, prefer))
    found.set(address, fetchedAccount);
  return found;
}

/** One account may fail a call for many. */
async function fetchSeparately(rpc: Rpc, reads: AccountRead[], slot: number, prefer: number | undefined) {
  if (reads.length === 0) return [];
  const calls = reads.map((read) => toCall([read], slot));
  const replies = await sendIndependently(rpc, calls, prefer);
  return reads.map((read, index): [string, FetchedAccount] => {
    const reply = replies[index] as RpcReply;
    const [account] = readReply([read], reply) ?? [];
    return [read.address, account ?? { ok: false, problem: problemOf(reply) }];
  });
}

function chunksOf(reads: readonly AccountRead[]): AccountRead[][] {
  const chunks: AccountRead[][] = [];
  for (let index = 0; index < reads.length; index += maxAccounts)
    chunks.push(reads.slice(index, index + maxAccounts));
  return chunks;
}

function toCall(part: readonly AccountRead[], minContextSlot: number): RpcCall {
  const dataSlice = { offset: 0, length: Math.max(...part.map(({ length }) => length)) };
  const options = { commitment: "confirmed", minContextSlot, encoding: "base64", dataSlice };
  const [only] = part;
  if (only && part.length === 1) return { method: "getAccountInfo", params: [only.address, options] };
  return { method: "getMultipleAccounts", params: [part.map(({ address }) => address), options] };
}

/** Undefined when the call failed as a whole. */
function readReply(part: readonly AccountRead[], reply: RpcReply): FetchedAccount[] | undefined {
  if ("failure" in reply) return undefined;
  if (part.length === 1) {
    const parsed = oneShape.safeParse(reply.result);
    return parsed.success ? [toFetched(parsed.data.value ?? null, part[0])] : undefined;
  }
  const many = manyShape.safeParse(reply.result);
  if (!many.success || many.data.value.length !== part.length) return undefined;
  return many.data.value.map((value, index) => toFetched(value, part[index]));
}

function toFetched(value: z.output<typeof shape> | null, read: AccountRead | undefined): FetchedAccount {
  if (!value)
    return {
      ok: true,
      account: { owner: null, isExecutable: false, lamports: 0n, data: Buffer.alloc(0) },
    };
  const { owner, executable, lamports, data } = value;
  const bytes = Buffer.from(data[0], "base64").subarray(0, read?.length ?? 0);
  return {
    ok: true,
    account: { owner, isExecutable: executable, lamports, data: bytes },
  };
}

/** The reason in our own words: the provider's may name its hosts or our account. */
export function problemOf(reply: RpcReply): string {
  if (!("failure" in reply)) return "a node returned an invalid state";
  const { failure } = reply;
  if (!(failure instanceof RpcError)) return `a node ${failure.message}`;
  if (/could not find/i.test(failure.message)) return "the account does not exist";
  if (failure.code === -32010) return "the nodes do not index this account";
  if (failure.code === -32012) return "the account owns more than the nodes can search";
  return `the node returned error ${failure.code}`;
}
