import { z } from "zod";
import { EndpointFailure } from "../evm/rpc/failure.ts";
import { inParallel } from "../evm/rpc/in-parallel.ts";
import type { Rpc } from "../evm/rpc/rpc.ts";
import type { Session } from "../evm/rpc/session.ts";

/** A transaction that touches a watched address, as the nodes list it. */
export type Listed = {
  signature: string;
  slot: number;
  hasFailed: boolean;
  address: string;
  /** In its slot, where the node says so. */
  index: number | null;
  /** In its slot among those of the same address. */
  rank: number;
};

const pageSize = 1000;
/** Of one address. What came after these is listed again when they are taken in. */
const mostKept = 200_000;
const atOnce = 8;

const shape = z.array(
  z.object({
    signature: z.string().min(32).max(100),
    slot: z.int().nonnegative(),
    err: z.unknown().optional(),
    transactionIndex: z.int().nullish(),
  }),
);

type Page = z.output<typeof shape>;

/** What is known of one address. */
type Watched = {
  /** Only what came after this slot counts. */
  since: number;
  listed: Listed[];
  /** A transaction that is older than everything that is still looked at. */
  until: string | undefined;
  /** It has more transactions than can be followed, and is left alone until this slot. */
  restsUntil: number;
};

/** What a look covers. */
type Look = {
  /** Everything above this slot is listed. */
  after: number;
  /** What the node must have seen. */
  atLeast: number;
  /** Up to here nothing can move any more. */
  finalized: number;
};

/** An address that is too busy is looked at again after so many slots. */
const restSlots = 1_500;
/** After a long time without a look, much is to be listed of any address. */
const usualSlots = 1_000;

/** The transactions of all watched addresses after a slot, read anew with every look. */
export class Listing {
  private readonly rpc: Rpc;
  private readonly byAddress = new Map<string, Watched>();
  /** Everything is listed up to this slot. */
  private whole = Number.POSITIVE_INFINITY;

  private readonly mostOpen: number;

  /** `mostOpen`: an address with more in the usual span is too busy, and must not hold up all others. */
  constructor(rpc: Rpc, mostOpen = 20_000) {
    this.rpc = rpc;
    this.mostOpen = mostOpen;
  }

  /** Addresses that are new count from where `since` says. */
  watch(addresses: ReadonlySet<string>, since: (address: string) => number): void {
    for (const address of this.byAddress.keys()) if (!addresses.has(address)) this.byAddress.delete(address);
    for (const address of addresses) {
      if (this.byAddress.has(address)) continue;
      this.byAddress.set(address, { since: since(address), listed: [], until: undefined, restsUntil: 0 });
    }
  }

  get addresses(): { address: string; since: number }[] {
    return [...this.byAddress].map(([address, { since }]) => ({ address, since }));
  }

  /** Everything after a slot is listed up to here. */
  get wholeTo(): number {
    return this.whole;
  }

  /** The addresses that are too busy. */
  get busy(): string[] {
    return [...this.byAddress].flatMap(([address, { restsUntil }]) => (restsUntil > 0 ? [address] : []));
  }

  /** Lists what came after a slot. All of it, or it rejects. */
  async refresh(look: Look, prefer: number | undefined): Promise<void> {
    this.whole = Number.POSITIVE_INFINITY;
    await inParallel(atOnce, [...this.byAddress], async ([address, watched]) => {
      if (watched.restsUntil > look.atLeast) return;
      const found = await this.rpc.use((session) => this.list(session, address, watched, look), {
        prefer,
        totalMs: 60_000,
      });
      Object.assign(watched, found);
    });
  }

  /** Oldest first, each once. */
  between(after: number, to: number): Listed[] {
    const found = new Map<string, Listed>();
    for (const { since, listed } of this.byAddress.values()) {
      for (const one of listed) {
        if (one.slot > Math.max(after, since) && one.slot <= to && !found.has(one.signature))
          found.set(one.signature, one);
      }
    }
    return [...found.values()].sort(inOrder);
  }

  private async list(
    session: Session,
    address: string,
    { since, until }: Watched,
    { after, atLeast, finalized }: Look,
  ): Promise<Watched> {
    const oldest = Math.max(after, since);
    const isUsual = atLeast - oldest <= usualSlots;
    const found: Page = [];
    for (let before: string | undefined; ; before = found.at(-1)?.signature) {
      const options = { limit: pageSize, commitment: "confirmed", minContextSlot: atLeast };
      const params = [address, { ...options, ...(before && { before }), ...(until && { until }) }];
      const page = readPage(await session.request("getSignaturesForAddress", params));
      found.push(...page);
      if (isUsual && found.length > this.mostOpen) return resting(atLeast);
      if (page.length < pageSize || (page.at(-1)?.slot ?? 0) <= oldest) break;
      this.cut(found);
    }
    const older = found.find(({ slot }) => slot <= Math.min(after, finalized));
    const fresh = found.filter(({ slot }) => slot > oldest).reverse();
    return {
      listed: fresh.map((one, at) => toListed(one, address, rankOf(fresh, at))),
      until: older?.signature ?? until,
      since,
      restsUntil: 0,
    };
  }

  /** The newest are let go, since the oldest come first; a slot that is cut through is not whole. */
  private cut(found: Page): void {
    if (found.length <= mostKept) return;
    found.splice(0, found.length - mostKept);
    this.whole = Math.min(this.whole, (found[0]?.slot ?? 0) - 1);
  }
}

/** What comes meanwhile is not counted; that it is not is said where people look. */
function resting(slot: number): Watched {
  return { since: slot + restSlots, listed: [], until: undefined, restsUntil: slot + restSlots };
}

/** Pages go back in time; a node whose pages do not, lies or changed its mind. */
function readPage(value: unknown): Page {
  const page = shape.safeParse(value);
  if (!page.success) throw new EndpointFailure("malformed", "sent a list of signatures that is none");
  const isOrdered = page.data.every(({ slot }, at) => slot <= (page.data[at - 1]?.slot ?? slot));
  if (!isOrdered) throw new EndpointFailure("inconsistent", "sent signatures out of order");
  return page.data;
}

function toListed(
  { signature, slot, err, transactionIndex }: Page[number],
  address: string,
  rank: number,
): Listed {
  const hasFailed = err !== null && err !== undefined;
  return { signature, slot, hasFailed, address, index: transactionIndex ?? null, rank };
}

function rankOf(oldestFirst: Page, at: number): number {
  let rank = 0;
  while (oldestFirst[at - rank - 1]?.slot === oldestFirst[at]?.slot && rank < at) rank++;
  return rank;
}

/** By slot, and in it by what the node says; where it does not, by what each address shows, the same at every look. */
function inOrder(a: Listed, b: Listed): number {
  if (a.slot !== b.slot) return a.slot - b.slot;
  if (a.index !== null && b.index !== null) return a.index - b.index;
  return a.rank - b.rank || (a.signature < b.signature ? -1 : 1);
}
