import { z } from "zod";
import type { Rpc } from "../../rpc/rpc.ts";
import type { SolanaTransaction } from "../transactions/transaction.ts";
import { fetchTransactions } from "./fetch-transactions.ts";
import type { ListedSignature } from "./listed-signature.ts";

type Recent = { limit: number; prefer: number | undefined };

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
  recent: Recent,
): Promise<SolanaTransaction[] | undefined> {
  const listed = await listRecentTransactions(rpc, address, recent);
  return listed && fetchListed(rpc, listed, recent.prefer);
}

/** Lists those of the newest transactions of an address that succeeded. Undefined if a node returns an invalid list. */
export async function listRecentTransactions(
  rpc: Rpc,
  address: string,
  { limit, prefer }: Recent,
): Promise<ListedSignature[] | undefined> {
  const params = [address, { limit, commitment: "confirmed" }];
  const listed = page.safeParse(await rpc.request("getSignaturesForAddress", params, { prefer }));
  if (!listed.success) return undefined;
  return listed.data
    .slice(0, limit)
    .filter(({ err }) => err === null || err === undefined)
    .map(({ signature, slot }) => ({ signature, slot, hasFailed: false, address, index: null, rank: 0 }));
}

/** Fetches listed transactions, each with a call; those that no node returns are left out. */
export async function fetchListed(
  rpc: Rpc,
  listed: readonly ListedSignature[],
  prefer: number | undefined,
): Promise<SolanaTransaction[]> {
  const { found } = await fetchTransactions(rpc, listed, prefer);
  return [...found.values()].map(({ transaction }) => transaction);
}
