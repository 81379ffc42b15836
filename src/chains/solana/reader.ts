import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { makeAddressPolicy } from "../../lib/outbound/address-policy.ts";
import { makeOutbound } from "../../lib/outbound/outbound.ts";
import type { AddressScan, Block } from "../block.ts";
import type { BlockRef, ChainReader, Fork } from "../reader.ts";
import type { EndpointStats } from "../rpc/endpoint.ts";
import { makeRpc } from "../rpc/rpc.ts";
import { readSolanaState } from "./accounts/read-state.ts";
import { classifySolanaError } from "./classify-error.ts";
import { makePollTimer } from "./heads/poll-timer.ts";
import { Transactions } from "./history/fetch-transactions.ts";
import { forkBelow, lowestChangedSlot } from "./history/find-fork.ts";
import { type LagLimits, LagMonitor } from "./history/lag-monitor.ts";
import type { ListedSignature } from "./history/listed-signature.ts";
import { SignatureListing } from "./history/listing.ts";
import { makeSlots } from "./history/slots.ts";
import type { Limits } from "./history/watched-address.ts";
import { addedIn, isDue, watchedSinceIn } from "./history/watched-since.ts";
import { toBlock } from "./transactions/to-block.ts";

export type SolanaReaderOptions = {
  /** http(s) URLs are asked; ws(s) URLs announce transactions. */
  urls: readonly string[];
  clock: Clock;
  log?: Log | undefined;
  /** Calls back when there is reason to look at once; returns how to stop that. */
  onHint?: ((look: () => void) => () => void) | undefined;
  /** How much of one address is listed and kept. */
  listing?: Partial<Limits> | undefined;
  /** When an address holds up all others. */
  holdUp?: Partial<LagLimits> | undefined;
  timeoutMs?: number | undefined;
  deadlineMs?: number | undefined;
};

/** Of transactions that are fetched for one step. */
const maxFetched = 400;

/**
 * Reads Solana by address: a block is a slot that holds transactions of watched addresses, and the newest slot of a step. What
 * was taken in is compared with what the nodes list until it is final and a while beyond, so that a transaction that comes to
 * light late, moves or goes is a fork like any other.
 */
export function makeSolanaReader(options: SolanaReaderOptions): ChainReader & { stats(): EndpointStats[] } {
  const { urls, clock, log, timeoutMs, deadlineMs } = options;
  const outbound = makeOutbound({ policy: makeAddressPolicy({ allow: ["0.0.0.0/0", "::/0"] }) });
  const classifyError = classifySolanaError;
  const rpc = makeRpc({ urls: httpUrls(urls), outbound, clock, log, timeoutMs, deadlineMs, classifyError });
  const listing = new SignatureListing(rpc, options.listing);
  const holdUp = new LagMonitor(options.holdUp);
  const transactions = new Transactions(rpc);
  const looks = makePollTimer({ socketUrls: urls.filter(isSocket), clock, log, onHint: options.onHint });
  let turn = 0;
  const prefer = () => turn % rpc.endpoints;
  const slots = makeSlots(rpc, prefer);
  let wanted: ReadonlySet<string> = new Set();
  /** Below this, everything is final and was listed alike for long enough. */
  let floor: number | undefined;
  let finalized = 0;
  let confirmed = 0;
  /** The newest block that the engine has: a branch is given whole up to there. */
  let reached = 0;
  /** Who holds up all others, until somebody asks. */
  let busiest: string | undefined;

  async function findFork(refs: readonly BlockRef[], head: BlockRef): Promise<Fork | undefined> {
    const [newest] = refs;
    if (!newest || head.height < newest.height) return undefined;
    const isFirst = floor === undefined;
    // What we do not remember cannot be compared.
    const after = Math.max(floor ?? 0, beginningOf(refs.at(-1) ?? newest));
    reached = newest.height;
    listing.watch(
      wanted,
      (address) => (isFirst ? watchedSinceIn(refs, address) : undefined) ?? newest.height,
    );
    finalized = Math.max(finalized, Math.min(await slots.finalized(), head.height));
    await listing.refresh({ after, reached, atLeast: head.height, finalized }, prefer());
    floor = after;
    const isCompared = ({ height }: BlockRef) => height > after && height <= listing.wholeTo;
    const shown = listing.between(after, Math.min(newest.height, listing.wholeTo));
    const lowest = await lowestChangedSlot(rpc, refs.filter(isCompared), shown, finalized);
    if (lowest !== undefined) return forkBelow(refs, lowest) ?? beyondMemory(refs);
    floor = Math.max(after, Math.min(newest.height, listing.ripeTo));
    transactions.forget(floor);
    const isListing = listing.wholeTo <= newest.height;
    busiest = holdUp.judge({ head: head.height, reached, isListing }, () => listing.drainLoad());
    return undefined;
  }

  /** No block that we remember is left: begin again below the oldest of them. */
  async function beyondMemory(refs: readonly BlockRef[]): Promise<Fork | undefined> {
    const oldest = refs.at(-1);
    if (!oldest) return undefined;
    const height = beginningOf(oldest);
    // Where nobody knows any more when that was, it was before.
    const ancestor = (await ref(height)) ?? blockRefAt(height, oldest.time);
    return { ancestor, depth: refs.length };
  }

  async function ref(height: number): Promise<BlockRef | undefined> {
    const time = await slots.timeOf(height);
    return time === undefined ? undefined : blockRefAt(height, time);
  }

  async function blocks(from: number, to: number): Promise<Block[]> {
    const end = Math.min(to, listing.wholeTo);
    if (end < from) return [];
    const bySlot = Map.groupBy(listing.between(from - 1, end), ({ slot }) => slot);
    const some = firstSlots(bySlot);
    const isCut = some.length < bySlot.size;
    const last = isCut ? (some.at(-1)?.[0] ?? end) : end;
    const wantedOnes = some.flatMap(([, listed]) => listed);
    await transactions.fetch(wantedOnes, prefer());
    const hashes = await slots.hashesOf(some.map(([slot]) => slot));
    if (!bySlot.has(last)) some.push([last, []]);
    const time = bySlot.has(last) ? undefined : await slots.timeOf(last);
    return some.map(([height, listed], at) => {
      const seen = seenIn(some[at - 1]?.[0] ?? from - 1, height, listed);
      return toBlock({ height, hash: hashes.get(height), time, found: transactions.take(listed), seen });
    });
  }

  /** Whole slots in order, as many as are fetched at once; those that the engine had are given in any case. */
  function firstSlots(bySlot: Map<number, ListedSignature[]>): [number, ListedSignature[]][] {
    let fetched = 0;
    const some: [number, ListedSignature[]][] = [];
    for (const [slot, listed] of bySlot) {
      if (fetched >= maxFetched && slot > reached) break;
      fetched += listed.filter((one) => !transactions.has(one)).length;
      some.push([slot, listed]);
    }
    return some;
  }

  let hasSaid = false;
  function seenIn(before: number, height: number, listed: ListedSignature[]): AddressScan {
    const isWhole = !hasSaid || isDue(before, height);
    hasSaid = true;
    return {
      transactions: listed.map(({ signature }) => signature),
      after: before,
      added: addedIn(listing.addresses, before, height, isWhole),
    };
  }

  return {
    maxHeightsPerBatch: 50_000,
    watch(addresses) {
      wanted = addresses;
      looks.watch(addresses);
    },
    findFork,
    blocks,
    async head() {
      // Each look is at another endpoint, so that none can hide a transaction for long.
      turn += 1;
      const { slot, time } = await slots.head();
      confirmed = Math.max(confirmed, slot);
      return blockRefAt(slot, time);
    },
    blockRef: ref,
    read: (reads, { height }) => readSolanaState(rpc, reads, height, prefer()),
    // Not further than was compared: what a node calls final later may yet turn out to hold something else.
    finality: async () => ({ safe: confirmed, finalized: Math.min(finalized, reached, listing.firmTo) }),
    popOverloadedAddress() {
      const address = busiest;
      busiest = undefined;
      return address;
    },
    waitForHead: (_seen, signal) => looks.wait(signal),
    stats: rpc.stats,
    async close() {
      looks.close();
      rpc.close();
      outbound.close();
    },
  };
}

/** A slot of which nobody asked what is in it. */
function blockRefAt(height: number, time: number): BlockRef {
  return { height, hash: String(height), parent_hash: "", time };
}

/** What is older than all that we remember was not ours to take in, or is as good as final. */
function beginningOf({ height, seen }: BlockRef): number {
  return seen?.after ?? height - 1;
}

function isSocket(url: string): boolean {
  return /^wss?:/i.test(url);
}

function httpUrls(urls: readonly string[]): string[] {
  const plain = urls.filter((url) => !isSocket(url));
  return plain.length > 0 ? plain : urls.map((url) => url.replace(/^ws/i, "http"));
}
