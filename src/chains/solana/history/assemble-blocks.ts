import type { AddressScan, Block } from "../../block.ts";
import { toBlock } from "../transactions/to-block.ts";
import type { LocatedTransaction } from "../transactions/transaction.ts";
import { type History, readableBetween } from "./history.ts";
import type { ListedSignature } from "./listed-signature.ts";
import { latestTime } from "./slots.ts";
import { isFullReportDue, reportedAddresses } from "./watched-since.ts";

type ListedSlot = [slot: number, listed: ListedSignature[]];

/** The transactions to fetch in one step, if the budget has calls left for them. */
const maxFetchedPerStep = 400;
/** The new blocks of a step while some address or transaction is passed over: what comes late must be above stored blocks. */
const maxBlocksPassing = 64;

/** Assembles blocks from the listed transactions of watched addresses. */
export class BlockAssembler {
  private readonly history: History;
  private hasReportedAddresses = false;

  constructor(history: History) {
    this.history = history;
  }

  /** Returns a block for each slot with transactions, and one for the last slot. `reached` is the newest committed slot. */
  async blocks(from: number, to: number, reached: number): Promise<Block[]> {
    const { listing, transactions, slots, prefer, clock } = this.history;
    const end = Math.min(to, listing.readableTo);
    if (end < from) return [];
    const bySlot = Map.groupBy(readableBetween(this.history, from - 1, end), ({ slot }) => slot);
    const first = this.firstSlots(bySlot, reached);
    await transactions.fetch(
      first.flatMap(([, listed]) => listed),
      prefer(),
    );
    const chosen = this.untilTooFar(first, reached);
    const isCut = chosen.length < bySlot.size;
    const last = isCut ? (chosen.at(-1)?.[0] ?? end) : end;
    const fetched = this.withoutWithheld(chosen);
    const nowSeconds = clock.now().getTime() / 1000;
    const read = fetched.flatMap(([, listed]) => transactions.get(listed));
    await this.history.scales.addTo(read, nowSeconds, prefer());
    const hashes = await slots.hashesOf(fetched.map(([slot]) => slot));
    const hasLast = fetched.at(-1)?.[0] === last;
    if (!hasLast) fetched.push([last, []]);
    const time = hasLast ? undefined : await slots.timeOf(last);
    const latest = latestTime(clock);
    return fetched.map(([height, listed], index) => {
      const seen = this.scanOf(fetched[index - 1]?.[0] ?? from - 1, height, listed);
      return toBlock({ height, hash: hashes.get(height), time, latest, found: this.found(listed), seen });
    });
  }

  /** Ends some blocks after the first transaction that the nodes did not return. */
  private untilTooFar(slots: ListedSlot[], reached: number): ListedSlot[] {
    const { transactions } = this.history;
    const withheld = slots.findIndex(([, listed]) =>
      listed.some((listedSignature) => !transactions.has(listedSignature)),
    );
    const fresh = slots.findIndex(([slot]) => slot > reached);
    return withheld === -1 || fresh === -1
      ? slots
      : slots.slice(0, Math.max(withheld, fresh) + maxBlocksPassing);
  }

  /** Leaves out the transactions that the nodes did not return, and the slots that have only these. */
  private withoutWithheld(slots: ListedSlot[]): ListedSlot[] {
    const { transactions } = this.history;
    return slots.flatMap(([slot, all]): ListedSlot[] => {
      const listed = all.filter((listedSignature) => transactions.has(listedSignature));
      return listed.length > 0 ? [[slot, listed]] : [];
    });
  }

  /** A transaction of an unsupported version does not name its accounts, so it concerns the addresses that list it. */
  private found(listed: readonly ListedSignature[]): LocatedTransaction[] {
    const { listing, transactions } = this.history;
    return transactions.get(listed).map((found, index) => {
      const { transaction } = found;
      if (!transaction.is_opaque) return found;
      const accounts = listing.addressesOf(listed[index] as ListedSignature);
      return { ...found, transaction: { ...transaction, accounts } };
    });
  }

  /**
   * Whole slots in order, at least one, up to `maxFetchedPerStep` transactions. Slots that were committed before are always
   * included.
   */
  private firstSlots(bySlot: Map<number, ListedSignature[]>, reached: number): ListedSlot[] {
    const { transactions, listing } = this.history;
    const maxFetched = Math.max(1, Math.min(maxFetchedPerStep, this.history.maxFetched()));
    const isPassing = listing.passesOver || transactions.allWithheld.length > 0;
    let fetched = 0;
    let fresh = 0;
    const first: ListedSlot[] = [];
    for (const [slot, listed] of bySlot) {
      if (slot > reached) fresh += 1;
      if (isPassing && fresh > maxBlocksPassing) break;
      if (fetched >= maxFetched && slot > reached) break;
      fetched += listed.filter((listedSignature) => !transactions.has(listedSignature)).length;
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
