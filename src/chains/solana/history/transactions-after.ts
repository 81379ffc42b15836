import type { Clock } from "../../../lib/clock.ts";
import type { Block } from "../../block.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { toBlock } from "../transactions/to-block.ts";
import { fetchTransactions } from "./fetch-transactions.ts";
import { listRecentTransactions } from "./recent-transactions.ts";
import { latestTime } from "./slots.ts";

/** The transactions that are listed, and those that are fetched, each with a call. */
const limit = 100;
const maxFetched = 20;

/**
 * Reads the newest transactions of an address after a slot that succeeded, as blocks, the newest first. Rejects with a ChainError or an
 * RpcError.
 */
export async function transactionsAfter(
  { rpc, clock, prefer }: { rpc: Rpc; clock: Clock; prefer: number | undefined },
  address: string,
  after: number,
): Promise<Block[]> {
  const listed = (await listRecentTransactions(rpc, address, { limit, prefer })) ?? [];
  const recent = listed.filter(({ slot }) => slot > after).slice(0, maxFetched);
  const { found } = await fetchTransactions(rpc, recent, prefer);
  const bySlot = Map.groupBy(recent, ({ slot }) => slot);
  return [...bySlot].map(([height, ofSlot]) =>
    toBlock({
      ...{ height, hash: undefined, time: undefined, latest: latestTime(clock) },
      // Nodes list the newest first.
      found: ofSlot.toReversed().flatMap(({ signature }) => found.get(signature) ?? []),
      seen: { transactions: [], after: height - 1, added: [] },
    }),
  );
}
