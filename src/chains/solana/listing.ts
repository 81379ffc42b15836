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
};

/** The transactions of all watched addresses after a slot, read anew with every look. */
export class Listing {
  private readonly rpc: Rpc;
  private readonly byAddress = new Map<string, Watched>();
  /** Everything is listed up to this slot. */
  private whole = Number.POSITIVE_INFINITY;

  constructor(rpc: Rpc) {
    this.rpc = rpc;
  }

  /** Addresses that are new count from where `since` says. */
  watch(addresses: ReadonlySet<string>, since: (address: string) => number): void {
    for (const address of this.byAddress.keys()) if (!addresses.has(address)) this.byAddress.delete(address);
    for (const address of addresses) {
      if (this.byAddress.has(address)) continue;
      this.byAddress.set(address, { since: since(address), listed: [], until: undefined });
    }
  }

  get addresses(): { address: string; since: number }[] {
    return [...this.byAddress].map(([address, { since }]) => ({ address, since }));
  }

  /** Everything after a slot is listed up to here. */
  get wholeTo(): number {
    return this.whole;
  }

  /** Lists what came after a slot. All of it, or it rejects. `atLeast` is what the node must have seen. */
  async refresh(after: number, atLeast: number, prefer: number | undefined): Promise<void> {
    this.whole = Number.POSITIVE_INFINITY;
    await inParallel(atOnce, [...this.byAddress], async ([address, watched]) => {
      const found = await this.rpc.use((session) => this.list(session, address, watched, after, atLeast), {
        prefer,
        totalMs: 60_000,
      });
      watched.listed = found.listed;
      watched.until = found.until;
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
    after: number,
    atLeast: number,
  ): Promise<Pick<Watched, "listed" | "until">> {
    const oldest = Math.max(after, since);
    const found: Page = [];
    for (let before: string | undefined; ; before = found.at(-1)?.signature) {
      const options = { limit: pageSize, commitment: "confirmed", minContextSlot: atLeast };
      const params = [address, { ...options, ...(before && { before }), ...(until && { until }) }];
      const page = readPage(await session.request("getSignaturesForAddress", params));
      found.push(...page);
      if (page.length < pageSize || (page.at(-1)?.slot ?? 0) <= oldest) break;
      this.cut(found);
    }
    const older = found.find(({ slot }) => slot <= after);
    const fresh = found.filter(({ slot }) => slot > oldest).reverse();
    return { listed: fresh.map((one, at) => toListed(one, address, rankOf(fresh, at))), until: older?.signature ?? until };
  }

  /** The newest are let go, since the oldest come first; a slot that is cut through is not whole. */
  private cut(found: Page): void {
    if (found.length <= mostKept) return;
    found.splice(0, found.length - mostKept);
    this.whole = Math.min(this.whole, (found[0]?.slot ?? 0) - 1);
  }
}

/** Pages go back in time; a node whose pages do not, lies or changed its mind. */
function readPage(value: unknown): Page {
  const page = shape.safeParse(value);
  if (!page.success) throw new EndpointFailure("malformed", "sent a list of signatures that is none");
  const isOrdered = page.data.every(({ slot }, at) => slot <= (page.data[at - 1]?.slot ?? slot));
  if (!isOrdered) throw new EndpointFailure("inconsistent", "sent signatures out of order");
  return page.data;
}

function toListed({ signature, slot, err, transactionIndex }: Page[number], address: string, rank: number): Listed {
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
