import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { makeAddressPolicy } from "../../lib/outbound/address-policy.ts";
import { makeOutbound } from "../../lib/outbound/outbound.ts";
import type { Block, Seen } from "../block.ts";
import type { ChainReader, Fork, Mark } from "../reader.ts";
import type { EndpointStats } from "../rpc/endpoint.ts";
import { makeRpc } from "../rpc/rpc.ts";
import { readSolanaState } from "./accounts/read-state.ts";
import { judgeSolanaError } from "./classify-error.ts";
import { makeLooks } from "./heads/poll-timer.ts";
import { Transactions } from "./history/fetch-transactions.ts";
import { forkBelow, lowestChange } from "./history/find-fork.ts";
import { HoldUp, type HoldUpLimits } from "./history/lag-monitor.ts";
import type { Listed } from "./history/listed-signature.ts";
import { Listing } from "./history/listing.ts";
import { makeSlots } from "./history/slots.ts";
import type { Limits } from "./history/watched-address.ts";
import { addedIn, isDue, sinceIn } from "./history/watched-since.ts";
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
  holdUp?: Partial<HoldUpLimits> | undefined;
  timeoutMs?: number | undefined;
  patienceMs?: number | undefined;
};

/** Of transactions that are fetched for one step. */
const mostFetched = 400;

/**
 * Reads Solana by address: a block is a slot that holds transactions of watched addresses, and the newest slot of a step. What
 * was taken in is compared with what the nodes list until it is final and a while beyond, so that a transaction that comes to
 * light late, moves or goes is a fork like any other.
 */
export function makeSolanaReader(options: SolanaReaderOptions): ChainReader & { stats(): EndpointStats[] } {
  const { urls, clock, log, timeoutMs, patienceMs } = options;
  const outbound = makeOutbound({ policy: makeAddressPolicy({ allow: ["0.0.0.0/0", "::/0"] }) });
  const judge = judgeSolanaError;
  const rpc = makeRpc({ urls: httpUrls(urls), outbound, clock, log, timeoutMs, patienceMs, judge });
  const listing = new Listing(rpc, options.listing);
  const holdUp = new HoldUp(options.holdUp);
  const transactions = new Transactions(rpc);
  const looks = makeLooks({ socketUrls: urls.filter(isSocket), clock, log, onHint: options.onHint });
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

  async function findFork(marks: readonly Mark[], head: Mark): Promise<Fork | undefined> {
    const [newest] = marks;
    if (!newest || head.height < newest.height) return undefined;
    const isFirst = floor === undefined;
    // What we do not remember cannot be compared.
    const after = Math.max(floor ?? 0, beginningOf(marks.at(-1) ?? newest));
    reached = newest.height;
    listing.watch(wanted, (address) => (isFirst ? sinceIn(marks, address) : undefined) ?? newest.height);
    finalized = Math.max(finalized, Math.min(await slots.finalized(), head.height));
    await listing.refresh({ after, reached, atLeast: head.height, finalized }, prefer());
    floor = after;
    const isCompared = ({ height }: Mark) => height > after && height <= listing.wholeTo;
    const shown = listing.between(after, Math.min(newest.height, listing.wholeTo));
    const lowest = await lowestChange(rpc, marks.filter(isCompared), shown, finalized);
    if (lowest !== undefined) return forkBelow(marks, lowest) ?? beyondMemory(marks);
    floor = Math.max(after, Math.min(newest.height, listing.ripeTo));
    transactions.forget(floor);
    const isListing = listing.wholeTo <= newest.height;
    busiest = holdUp.judge({ head: head.height, reached, isListing }, () => listing.takeLoad());
    return undefined;
  }

  /** No block that we remember is left: begin again below the oldest of them. */
  async function beyondMemory(marks: readonly Mark[]): Promise<Fork | undefined> {
    const oldest = marks.at(-1);
    if (!oldest) return undefined;
    const height = beginningOf(oldest);
    // Where nobody knows any more when that was, it was before.
    const ancestor = (await mark(height)) ?? markAt(height, oldest.time);
    return { ancestor, depth: marks.length };
  }

  async function mark(height: number): Promise<Mark | undefined> {
    const time = await slots.timeOf(height);
    return time === undefined ? undefined : markAt(height, time);
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
  function firstSlots(bySlot: Map<number, Listed[]>): [number, Listed[]][] {
    let fetched = 0;
    const some: [number, Listed[]][] = [];
    for (const [slot, listed] of bySlot) {
      if (fetched >= mostFetched && slot > reached) break;
      fetched += listed.filter((one) => !transactions.has(one)).length;
      some.push([slot, listed]);
    }
    return some;
  }

  let hasSaid = false;
  function seenIn(before: number, height: number, listed: Listed[]): Seen {
    const isWhole = !hasSaid || isDue(before, height);
    hasSaid = true;
    return {
      transactions: listed.map(({ signature }) => signature),
      after: before,
      added: addedIn(listing.addresses, before, height, isWhole),
    };
  }

  return {
    heightsAtOnce: 50_000,
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
      return markAt(slot, time);
    },
    mark,
    read: (reads, { height }) => readSolanaState(rpc, reads, height, prefer()),
    // Not further than was compared: what a node calls final later may yet turn out to hold something else.
    settled: async () => ({ safe: confirmed, finalized: Math.min(finalized, reached, listing.firmTo) }),
    takeBusiest() {
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
function markAt(height: number, time: number): Mark {
  return { height, hash: String(height), parent_hash: "", time };
}

/** What is older than all that we remember was not ours to take in, or is as good as final. */
function beginningOf({ height, seen }: Mark): number {
  return seen?.after ?? height - 1;
}

function isSocket(url: string): boolean {
  return /^wss?:/i.test(url);
}

function httpUrls(urls: readonly string[]): string[] {
  const plain = urls.filter((url) => !isSocket(url));
  return plain.length > 0 ? plain : urls.map((url) => url.replace(/^ws/i, "http"));
}
