import type { AddressScan, Block } from "../../block.ts";
import { toBlock } from "../transactions/to-block.ts";
import type { History } from "./history-comparison.ts";
import type { ListedSignature } from "./listed-signature.ts";
import { isFullReportDue, reportedAddresses } from "./watched-since.ts";

type ListedSlot = [slot: number, listed: ListedSignature[]];

/** The transactions to fetch in one step. */
const maxFetched = 400;

/** Assembles blocks from the listed transactions of watched addresses. */
export class BlockAssembler {
  private readonly history: History;
  private hasReportedAddresses = false;

  constructor(history: History) {
    this.history = history;
  }

  /** Returns a block for each slot with transactions, and one for the last slot. `reached` is the newest committed slot. */
  async blocks(from: number, to: number, reached: number): Promise<Block[]> {
    const { listing, transactions, slots, prefer } = this.history;
    const end = Math.min(to, listing.listedTo);
    if (end < from) return [];
    const bySlot = Map.groupBy(listing.between(from - 1, end), ({ slot }) => slot);
    const fetched = this.firstSlots(bySlot, reached);
    const isCut = fetched.length < bySlot.size;
    const last = isCut ? (fetched.at(-1)?.[0] ?? end) : end;
    await transactions.fetch(
      fetched.flatMap(([, listed]) => listed),
      prefer(),
    );
    const hashes = await slots.hashesOf(fetched.map(([slot]) => slot));
    if (!bySlot.has(last)) fetched.push([last, []]);
    const time = bySlot.has(last) ? undefined : await slots.timeOf(last);
    return fetched.map(([height, listed], index) => {
      const seen = this.scanOf(fetched[index - 1]?.[0] ?? from - 1, height, listed);
      return toBlock({ height, hash: hashes.get(height), time, found: transactions.get(listed), seen });
    });
  }

  /** Whole slots in order, up to `maxFetched` transactions. Slots that were committed before are always included. */
  private firstSlots(bySlot: Map<number, ListedSignature[]>, reached: number): ListedSlot[] {
    const { transactions } = this.history;
    let fetched = 0;
    const first: ListedSlot[] = [];
    for (const [slot, listed] of bySlot) {
      if (fetched >= maxFetched && slot > reached) break;
      fetched += listed.filter((one) => !transactions.has(one)).length;
      first.push([slot, listed]);
    }
    return first;
  }

  private scanOf(before: number, height: number, listed: ListedSignature[]): AddressScan {
    const isFull = !this.hasReportedAddresses || isFullReportDue(before, height);
    this.hasReportedAddresses = true;
    return {
      transactions: listed.map(({ signature }) => signature),
      after: before,
      added: reportedAddresses(this.history.listing.addresses, before, height, isFull),
    };
  }
}
