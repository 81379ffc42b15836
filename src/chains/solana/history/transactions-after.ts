import type { Clock } from "../../../lib/clock.ts";
import type { Block } from "../../block.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { toBlock } from "../transactions/to-block.ts";
import type { LocatedTransaction } from "../transactions/transaction.ts";
import { fetchTransactions } from "./fetch-transactions.ts";
import type { ListedSignature } from "./listed-signature.ts";
import { listRecentTransactions } from "./recent-transactions.ts";
import { latestTime } from "./slots.ts";

/** The transactions that are listed, and those that are fetched, each with a call. */
const limit = 100;
const maxFetched = 20;
/** Several addresses may be searched at once. */
const maxShareOfCalls = 0.1;

type Source = {
  rpc: Rpc;
  clock: Clock;
  prefer: number | undefined;
  /** The calls that may still be made today. */
  callsLeft: number;
};

/**
 * Reads the newest transactions of an address after a slot that succeeded, as blocks, the newest first. It ends before one whose
 * contents no node returns: what is older may have been undone by it. Rejects with a ChainError or an RpcError.
 */
export async function transactionsAfter(
  { rpc, clock, prefer, callsLeft }: Source,
  address: string,
  after: number,
): Promise<Block[]> {
  const max = Math.min(maxFetched, Math.floor(callsLeft * maxShareOfCalls) - 1);
  if (max < 1) return [];
  const listed = (await listRecentTransactions(rpc, address, { limit, prefer })) ?? [];
  const recent = listed.filter(({ slot }) => slot > after).slice(0, max);
  const { found } = await fetchTransactions(rpc, recent, prefer);
  const bySlot = Map.groupBy(untilUnreadable(recent, found), ({ listed }) => listed.slot);
  return [...bySlot].map(([height, ofSlot]) =>
    toBlock({
      ...{ height, hash: undefined, time: undefined, latest: latestTime(clock) },
      // Nodes list the newest first.
      found: ofSlot.toReversed().map(({ located }) => located),
      seen: { transactions: [], after: height - 1, added: [] },
    }),
  );
}

type Readable = { listed: ListedSignature; located: LocatedTransaction };

function untilUnreadable(
  recent: readonly ListedSignature[],
  found: ReadonlyMap<string, LocatedTransaction>,
): Readable[] {
  const readable: Readable[] = [];
  for (const listed of recent) {
    const located = found.get(listed.signature);
    if (!located || located.transaction.is_opaque) break;
    readable.push({ listed, located });
  }
  return readable;
}
