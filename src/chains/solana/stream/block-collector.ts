import type { LocatedTransaction } from "../transactions/transaction.ts";
import type { BlockMetaUpdate, TransactionUpdate } from "./geyser-protocol.ts";
import { readStreamed } from "./streamed-transaction.ts";

/** A slot with the transactions of watched addresses that were streamed. */
export type StreamedBlock = { slot: number; hash: string; transactions: LocatedTransaction[] };

/** Transactions whose block is not complete yet. More are dropped: nodes return them. */
const maxWaiting = 10_000;

/** Collects streamed transactions until their block is complete, because only then their time is known. */
export class BlockCollector {
  private readonly bySlot = new Map<bigint, TransactionUpdate[]>();
  private waiting = 0;

  add(update: TransactionUpdate): void {
    if (this.waiting >= maxWaiting) this.clear();
    const collected = this.bySlot.get(update.slot);
    if (collected) collected.push(update);
    else this.bySlot.set(update.slot, [update]);
    this.waiting += 1;
  }

  /** Removes and returns the block of a slot. Slots below it get no block any more. */
  complete({ slot, blockhash, blockTime }: BlockMetaUpdate): StreamedBlock {
    const updates = this.bySlot.get(slot) ?? [];
    for (const [at, { length }] of this.bySlot) {
      if (at > slot) continue;
      this.bySlot.delete(at);
      this.waiting -= length;
    }
    const time = blockTime ? Number(blockTime.timestamp) : null;
    const transactions = updates.flatMap((update) => readStreamed(update, time) ?? []);
    return { slot: Number(slot), hash: blockhash, transactions };
  }

  clear(): void {
    this.bySlot.clear();
    this.waiting = 0;
  }
}
