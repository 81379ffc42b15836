import { z } from "zod";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";

/** The most that nodes list at once. */
const pageSize = 1000;
/** Not every node keeps what is so many slots old: half an hour. */
const recentSlots = 5_000;

const shape = z.array(
  z.object({
    signature: z.string().min(32).max(100),
    slot: z.int().nonnegative(),
    err: z.unknown().optional(),
    transactionIndex: z.int().nullish(),
  }),
);

/** Newest first, as nodes list. */
export type Page = z.output<typeof shape>;

/** A transaction that is final, from which a walk can be taken up again. */
export type ResumePoint = { signature: string; slot: number };

export type Walk = {
  address: string;
  /** Where to begin; with the newest unless told. */
  from: ResumePoint | undefined;
  /** Everything above this slot is wanted. */
  bottom: number;
  /** Up to here it was read before, so that it is no more than can be read again. */
  finalTo: number;
  /** A transaction at the bottom or below, where one is known: nodes stop there by themselves. */
  until: string | undefined;
  /** What the node must have seen. */
  atLeast: number;
  /** Up to here nothing can move any more. */
  finalized: number;
  /** So much is read at most, and a little more. */
  maxKept: number;
};

/** What was read down to the bottom; or where to go on, since there is more than is read at once. */
export type Walked = { found: Page; isCut: boolean; resumeAt?: never } | { resumeAt: ResumePoint };

/** Reads the transactions of an address, newest first, down to a slot. */
export async function listBackwards(session: Session, walk: Walk): Promise<Walked> {
  const { bottom, finalTo, finalized, maxKept } = walk;
  const limit = Math.min(pageSize, maxKept);
  const found: Page = [];
  let isCut = false;
  for (let before = walk.from?.signature; ; before = found.at(-1)?.signature) {
    const page = await readPage(session, walk, before, limit);
    requireOrder(found, page);
    found.push(...page);
    const last = found.at(-1);
    if (last && last.slot <= bottom) return { found, isCut };
    if (page.length < limit) {
      if (before) await requireKnown(session, before);
      if (walk.atLeast - bottom > recentSlots) await requireHistory(session, bottom);
      return { found, isCut };
    }
    const isFull = found.length >= maxKept;
    // A stop in the lowest new slot would be met again and again: that is read to its end, however much there is in it.
    if (last && isFull && last.slot <= finalized && last.slot > finalTo + 1) return { resumeAt: last };
    // While so much is not final, the newest is let go: the oldest comes first.
    if (last && isFull && last.slot > finalized) {
      isCut ||= found.length > maxKept;
      found.splice(0, found.length - maxKept);
    }
  }
}

async function readPage(session: Session, walk: Walk, before: string | undefined, limit: number) {
  const { address, until, atLeast } = walk;
  const options = { limit, commitment: "confirmed", minContextSlot: atLeast };
  const params = [address, { ...options, ...(before && { before }), ...(until && { until }) }];
  const page = shape.safeParse(await session.request("getSignaturesForAddress", params));
  if (!page.success) throw new EndpointFailure("malformed", "sent a list of signatures that is none");
  return page.data;
}

/** Pages go back in time; a node whose pages do not, lies or changed its mind. */
function requireOrder(found: Page, page: Page): void {
  const all = [...found.slice(-1), ...page];
  if (all.every(({ slot }, at) => slot <= (all[at - 1]?.slot ?? slot))) return;
  throw new EndpointFailure("inconsistent", "sent signatures out of order");
}

/** A node lists nothing before a transaction that it does not know, as if that were all there is. */
async function requireKnown(session: Session, signature: string): Promise<void> {
  const params = [[signature], { searchTransactionHistory: true }];
  const reply = await session.request<{ value?: unknown }>("getSignatureStatuses", params, {
    mustExist: true,
  });
  const [status] = Array.isArray(reply.value) ? reply.value : [];
  if (!status) throw new EndpointFailure("missing", "does not know the transaction to list on from");
}

/** A node lists nothing either of what it has thrown away. Those that cannot say how much that is are believed. */
async function requireHistory(session: Session, bottom: number): Promise<void> {
  const first = await session.request("getFirstAvailableBlock", []).catch((error: unknown) => {
    if (error instanceof RpcError) return undefined;
    throw error;
  });
  if (typeof first === "number" && first > bottom + 1)
    throw new EndpointFailure("missing", `keeps nothing from before slot ${first}`);
}
