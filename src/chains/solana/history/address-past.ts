import { type AddressHistory, ChainError, type PastBlocks, PrunedHistory } from "../../reader.ts";
import { BlockAssembler } from "./assemble-blocks.ts";
import type { History } from "./history.ts";
import { recentSlots } from "./list-backwards.ts";
import { SignatureListing } from "./listing.ts";
import type { Slots } from "./slots.ts";
import { TransactionCache } from "./transaction-cache.ts";
import type { Limits } from "./watched-address.ts";

export type PastSource = Pick<History, "rpc" | "clock" | "slots" | "scales" | "prefer" | "maxFetched">;

/** A read ends after this many refreshes of a long listing, and the next read continues it. */
const maxRefreshes = 5;

/**
 * Opens the past of addresses, which has a listing of its own: it is read beside the chain, from the oldest slot on, and delays
 * nothing else. An address that cannot be listed fails the read, and is not passed over.
 */
export function openAddressHistory(
  source: PastSource,
  addresses: ReadonlySet<string>,
  limits: Partial<Limits> | undefined,
): AddressHistory {
  const { rpc, clock, slots, prefer } = source;
  const listing = new SignatureListing({ rpc, auxiliary: rpc, clock }, limits);
  const transactions = new TransactionCache(rpc, clock);
  const assembler = new BlockAssembler({ ...source, listing, transactions });

  async function list(after: number, to: number): Promise<void> {
    listing.watch(addresses, () => after);
    const scope = { after, reached: after, atLeast: to, finalized: to, keptFrom: 0, isSelected: () => true };
    for (let left = maxRefreshes; left > 0 && listing.listedTo <= after; left--) {
      await listing.refresh(scope, prefer());
      const [problem] = listing.problems();
      if (problem) throw new ChainError(problem);
    }
  }

  return {
    async read(after, to, { skipsMissing }): Promise<PastBlocks> {
      if (to - after > recentSlots) await requireHistory(slots, after);
      await list(after, to);
      if (listing.listedTo <= after) return { blocks: [], to: after, missing: [] };
      transactions.forget(after);
      await transactions.retryWithheld(prefer());
      const blocks = await assembler.blocks(after + 1, Math.min(to, listing.listedTo), after);
      const missing = transactions.allWithheld.map(({ listed }) => listed);
      const [first] = missing;
      if (first && !skipsMissing)
        throw new ChainError(
          `The nodes list the transaction ${first.signature} in slot ${first.slot} but do not return it.`,
        );
      for (const { signature } of missing) transactions.release(signature);
      return {
        blocks,
        to: blocks.at(-1)?.height ?? after,
        missing: missing.map(({ signature }) => signature),
      };
    },
  };
}

/** Throws when no node has the slots any more: listings would have a gap. */
async function requireHistory(slots: Slots, after: number): Promise<void> {
  const oldest = await slots.oldest();
  if (oldest !== undefined && oldest > after + 1) throw new PrunedHistory(after + 1, oldest);
}
