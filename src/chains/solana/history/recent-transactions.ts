import { z } from "zod";
import type { Rpc } from "../../rpc/rpc.ts";
import type { SolanaTransaction } from "../transactions/transaction.ts";
import { fetchTransactions } from "./fetch-transactions.ts";

const page = z.array(
  z.object({ signature: z.string(), slot: z.int().nonnegative(), err: z.unknown().optional() }),
);

/**
 * Fetches those of the newest transactions of an address that succeeded, each with a call. Undefined if a node returns an invalid
 * list. Rejects with a ChainError or an RpcError.
 */
export async function fetchRecentTransactions(
  rpc: Rpc,
  address: string,
  { limit, prefer }: { limit: number; prefer: number | undefined },
): Promise<SolanaTransaction[] | undefined> {
  const params = [address, { limit, commitment: "confirmed" }];
  const listed = page.safeParse(await rpc.request("getSignaturesForAddress", params, { prefer }));
  if (!listed.success) return undefined;
  const wanted = listed.data
    .slice(0, limit)
    .filter(({ err }) => err === null || err === undefined)
    .map(({ signature, slot }) => ({ signature, slot, hasFailed: false, address, index: null, rank: 0 }));
  const found = await fetchTransactions(rpc, wanted, { prefer, requiresSome: false });
  return [...found.values()].map(({ transaction }) => transaction);
}
