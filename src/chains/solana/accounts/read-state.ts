import { z } from "zod";
import type { Read, ReadResult } from "../../block.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { RpcCall } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { resultOf, type Session } from "../../rpc/session.ts";
import { packAccount, packAmount } from "./account-state.ts";
import { parseSolanaAddress } from "./address.ts";

/**
 * Reads the current state, because Solana nodes do not keep past state. A node that has not reached the slot is rejected, so
 * the state is never older than the block.
 */
export async function readSolanaState(
  rpc: Rpc,
  reads: readonly Read[],
  slot: number,
  prefer: number | undefined,
): Promise<ReadResult[]> {
  if (reads.length === 0) return [];
  return rpc.use(
    async (session) => {
      const replies = await session.batch(reads.map((read) => toCall(read, slot)));
      const results = reads.map((read, at) => readReply(read, replies[at]));
      return readTokenBalances(session, reads, results, slot);
    },
    { prefer },
  );
}

function toCall(read: Read, minContextSlot: number): RpcCall {
  const options = { commitment: "confirmed", minContextSlot };
  switch (read.kind) {
    case "balance":
      return { method: "getBalance", params: [read.address, options] };
    case "account": {
      const dataSlice = { offset: 0, length: read.length };
      return {
        method: "getAccountInfo",
        params: [read.address, { ...options, encoding: "base64", dataSlice }],
      };
    }
    case "token_supply":
      return { method: "getTokenSupply", params: [read.mint, options] };
    case "token_balance": {
      const filter = { mint: read.mint };
      return {
        method: "getTokenAccountsByOwner",
        params: [read.holder, filter, { ...options, encoding: "jsonParsed" }],
      };
    }
    default:
      throw new Error(`Solana does not support reads of kind ${read.kind}.`);
  }
}

/** For a holder that owns no account of the token: it may be a token account itself; else zero with the mint's decimals. */
async function readTokenBalances(
  session: Session,
  reads: readonly Read[],
  results: (ReadResult | undefined)[],
  minContextSlot: number,
): Promise<ReadResult[]> {
  const options = { commitment: "confirmed", minContextSlot };
  const unresolved = [...results.keys()].filter((at) => results[at] === undefined);
  const calls = unresolved.flatMap((at) => {
    const { holder, mint } = reads[at] as Extract<Read, { kind: "token_balance" }>;
    return [
      { method: "getTokenAccountBalance", params: [holder, options] },
      { method: "getTokenSupply", params: [mint, options] },
    ];
  });
  const replies = calls.length > 0 ? await session.batch(calls) : [];
  const filled = new Map(
    unresolved.map((at, order): [number, ReadResult] => {
      const own = readAmount(replies[2 * order], "The balance");
      if (own.ok) return [at, own];
      const supply = readAmount(replies[2 * order + 1], "The token");
      return [
        at,
        supply.ok
          ? { ok: true, data: `${supply.data.slice(0, 4)}${"0".repeat(32)}` as `0x${string}` }
          : supply,
      ];
    }),
  );
  return results.map((result, at) => result ?? (filled.get(at) as ReadResult));
}

const amountShape = z.object({ amount: z.string().regex(/^\d{1,39}$/), decimals: z.int().min(0).max(255) });
const accountShape = z.object({
  owner: z.string().refine((text) => parseSolanaAddress(text) !== undefined),
  executable: z.boolean(),
  lamports: z.number(),
  data: z.tuple([z.string(), z.literal("base64")]),
});
const holdingsShape = z.array(
  z.object({
    account: z.object({
      data: z.object({ parsed: z.object({ info: z.object({ tokenAmount: amountShape }) }) }),
    }),
  }),
);

type Reply = Parameters<typeof resultOf>[0];

/** Undefined when another request is needed. An RpcError is a problem of the read. */
function readReply(read: Read, reply: Reply): ReadResult | undefined {
  const value = valueIn(reply);
  if (value instanceof RpcError) return { ok: false, code: "unavailable", problem: reasonOf(value) };
  switch (read.kind) {
    case "balance":
      return { ok: true, data: `0x${BigInt(check(z.number(), value)).toString(16)}` };
    case "account":
      return { ok: true, data: toAccount(value) };
    case "token_supply":
      return { ok: true, data: packAmount(toAmount(value)) };
    default: {
      const held = check(holdingsShape, value).map(({ account }) =>
        toAmount(account.data.parsed.info.tokenAmount),
      );
      const [first] = held;
      if (!first) return undefined;
      const amount = held.reduce((sum, one) => sum + one.amount, 0n);
      return { ok: true, data: packAmount({ amount, decimals: first.decimals }) };
    }
  }
}

function readAmount(reply: Reply, what: string): ReadResult {
  const value = valueIn(reply);
  if (value instanceof RpcError)
    return { ok: false, code: "unavailable", problem: `${what} could not be read: ${reasonOf(value)}` };
  return { ok: true, data: packAmount(toAmount(value)) };
}

/** The reason in our own words: the provider's may name its hosts or our account. */
function reasonOf({ code, message }: RpcError): string {
  return /could not find/i.test(message) ? "the account does not exist" : `the node returned error ${code}`;
}

function toAmount(value: unknown): { amount: bigint; decimals: number } {
  const { amount, decimals } = check(amountShape, value);
  return { amount: BigInt(amount), decimals };
}

function toAccount(value: unknown): `0x${string}` {
  if (value === null) return "0x";
  const { owner, executable, lamports, data } = check(accountShape, value);
  const bytes = Buffer.from(data[0], "base64");
  return packAccount({
    owner,
    isExecutable: executable,
    lamports: BigInt(Math.trunc(lamports)),
    data: bytes,
  });
}

/** Unwraps a state result, which is paired with its slot. */
function valueIn(reply: Reply): unknown {
  if (reply && "failure" in reply && reply.failure instanceof RpcError) return reply.failure;
  const result = resultOf(reply, "state", { mustExist: true });
  return check(z.object({ value: z.unknown() }), result).value ?? null;
}

function check<T>(shape: z.ZodType<T>, value: unknown): T {
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new EndpointFailure("malformed", "returned an invalid state");
  return parsed.data;
}
