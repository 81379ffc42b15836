import type { Clock } from "../../../lib/clock.ts";
import type { Block } from "../../block.ts";
import type { HeightRange } from "../../reader.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { toBlock } from "../transactions/to-block.ts";
import type { LocatedTransaction } from "../transactions/transaction.ts";
import { fetchTransactions } from "./fetch-transactions.ts";
import type { ListedSignature } from "./listed-signature.ts";
import { listRecentTransactions } from "./recent-transactions.ts";
import { latestTime } from "./slots.ts";

/** The most that nodes list with one call. */
const maxListed = 1_000;
/** The transactions that are fetched at once, each with a call. */
const maxAtOnce = 20;
/** Several addresses may be searched at once. */
const maxShareOfCalls = 0.1;

type Source = {
  rpc: Rpc;
  clock: Clock;
  prefer: number | undefined;
  /** The calls that may still be made today. */
  callsLeft: () => number;
};

/**
 * Reads those of the newest transactions of an address that are within a range and succeeded, as blocks, the newest first. It ends
 * before one whose contents no node returns, and after one that nodes recorded without what it invoked: what is older may have been
 * undone by it. Rejects with a ChainError or an RpcError.
 */
export async function* transactionsBetween(
  { rpc, clock, prefer, callsLeft }: Source,
  address: string,
  { after, upTo }: HeightRange,
): AsyncGenerator<Block[], undefined> {
  const mayCall = (spent: number) => Math.floor(callsLeft() * maxShareOfCalls) - spent;
  if (mayCall(1) < 1) return;
  const listed = (await listRecentTransactions(rpc, address, { limit: maxListed, prefer })) ?? [];
  const inRange = listed.filter(({ slot }) => slot > after && slot <= upTo);
  for (let from = 0; from < inRange.length; ) {
    const some = inRange.slice(from, from + Math.max(0, Math.min(maxAtOnce, mayCall(1 + from))));
    if (some.length === 0) return;
    const { found } = await fetchTransactions(rpc, some, prefer);
    const readable = untilUnreadable(some, found);
    yield toBlocks(readable, latestTime(clock));
    if (readable.length < some.length || isUnrecorded(readable.at(-1))) return;
    from += some.length;
  }
}

type Readable = { listed: ListedSignature; located: LocatedTransaction };

/** What the programs of a transaction invoked is not known: it may have undone what is older, like one that is not returned. */
function isUnrecorded(readable: Readable | undefined): boolean {
  return readable?.located.transaction.is_unrecorded === true;
}

function untilUnreadable(
  recent: readonly ListedSignature[],
  found: ReadonlyMap<string, LocatedTransaction>,
): Readable[] {
  const readable: Readable[] = [];
  for (const listed of recent) {
    const located = found.get(listed.signature);
    if (!located || located.transaction.is_opaque) break;
    readable.push({ listed, located });
    if (isUnrecorded({ listed, located })) break;
  }
  return readable;
}

function toBlocks(readable: readonly Readable[], latest: number): Block[] {
  const bySlot = Map.groupBy(readable, ({ listed }) => listed.slot);
  return [...bySlot].map(([height, ofSlot]) =>
    toBlock({
      ...{ height, hash: undefined, time: undefined, latest },
      // Nodes list the newest first.
      found: ofSlot.toReversed().map(({ located }) => located),
      seen: { transactions: [], after: height - 1, added: [] },
    }),
  );
}
