import { z } from "zod";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";
import { unknownFilterCode } from "../classify-error.ts";

/** The maximum that nodes return per request. */
const pageSize = 1000;
/** Ten minutes; some nodes prune older slots. */
export const recentSlots = 1_500;

const shape = z.array(
  z.object({
    signature: z.string().min(32).max(100),
    slot: z.int().nonnegative(),
    err: z.unknown().optional(),
    transactionIndex: z.int().nullish(),
  }),
);

/** One page of a listing, newest first. */
export type Page = z.output<typeof shape>;

/** A final transaction at which a walk can be resumed. */
export type ResumePoint = { signature: string; slot: number };

export type Walk = {
  address: string;
  /** The starting point; the newest transaction by default. */
  from: ResumePoint | undefined;
  /** The walk lists everything above this slot. */
  bottom: number;
  /** Everything up to this slot was listed before, so it is a bounded amount. */
  finalTo: number;
  /** A known transaction at or below the bottom, at which nodes stop listing. */
  until: string | undefined;
  /** The slot that the node must have processed. */
  atLeast: number;
  /** Transactions up to this slot cannot change. */
  finalized: number;
  /** About how many transactions to keep in memory. */
  maxKept: number;
};

/** All transactions down to the bottom, or the point at which to resume. */
export type Walked = { found: Page; isCut: boolean; resumeAt?: never } | { resumeAt: ResumePoint };

/** Lists the transactions of an address, newest first, down to a slot. */
export async function listBackwards(session: Session, walk: Walk): Promise<Walked> {
  const { bottom, finalTo, finalized, maxKept } = walk;
  const limit = Math.min(pageSize, maxKept);
  const listed: Page = [];
  let isCut = false;
  for (let before = walk.from?.signature; ; before = listed.at(-1)?.signature) {
    const page = await readPage(session, walk, before, limit);
    requireOrder(listed, page);
    listed.push(...page);
    const last = listed.at(-1);
    if (last && last.slot <= bottom) return { found: listed, isCut };
    if (page.length < limit) {
      if (before) await requireKnown(session, before);
      if (walk.atLeast - bottom > recentSlots) await requireHistory(session, walk);
      return { found: listed, isCut };
    }
    const isFull = listed.length >= maxKept;
    // Resuming in the lowest new slot would never end, so that slot is read completely, whatever its size.
    if (last && isFull && last.slot <= finalized && last.slot > finalTo + 1) return { resumeAt: last };
    // The oldest transactions are needed first, so the newest ones that are not final are dropped.
    if (last && isFull && last.slot > finalized) {
      isCut ||= listed.length > maxKept;
      listed.splice(0, listed.length - maxKept);
    }
  }
}

/** Pages end at the known transaction, or at the bottom where the node does not know it any more. */
async function readPage(
  session: Session,
  walk: Walk,
  before: string | undefined,
  limit: number,
): Promise<Page> {
  const { address, until, atLeast } = walk;
  const options = { limit, commitment: "confirmed", minContextSlot: atLeast };
  const list = (end: string | undefined) => {
    const params = [address, { ...options, ...(before && { before }), ...(end && { until: end }) }];
    return session.request("getSignaturesForAddress", params);
  };
  const reply = list(until)
    .catch((error: unknown) => (until && isUnknownFilter(error) ? list(undefined) : Promise.reject(error)))
    .catch((error: unknown) => Promise.reject(before && isUnknownFilter(error) ? unknownStart() : error));
  const page = shape.safeParse(await reply);
  if (!page.success) throw new EndpointFailure("malformed", "returned an invalid list of signatures");
  return page.data;
}

function isUnknownFilter(error: unknown): boolean {
  return error instanceof RpcError && error.code === unknownFilterCode;
}

function unknownStart(): EndpointFailure {
  return new EndpointFailure("missing", "does not know the transaction from which to continue the listing");
}

/** Throws when the pages are not in descending order. */
function requireOrder(listed: Page, page: Page): void {
  const all = [...listed.slice(-1), ...page];
  if (all.every(({ slot }, index) => slot <= (all[index - 1]?.slot ?? slot))) return;
  throw new EndpointFailure("inconsistent", "returned signatures out of order");
}

/** Throws when the node does not know a transaction: it then returns an empty page, as at the end of a listing. */
async function requireKnown(session: Session, signature: string): Promise<void> {
  const params = [[signature], { searchTransactionHistory: true }];
  const reply = await session.request<{ value?: unknown }>("getSignatureStatuses", params, {
    mustExist: true,
  });
  const [status] = Array.isArray(reply.value) ? reply.value : [];
  if (!status) throw unknownStart();
}

/** Throws when the node pruned the slots: it then returns an empty page too. Nodes that do not report this are trusted. */
async function requireHistory(session: Session, { bottom, atLeast }: Walk): Promise<void> {
  const first = await session.request("getFirstAvailableBlock", []).catch((error: unknown) => {
    if (error instanceof RpcError) return undefined;
    throw error;
  });
  if (typeof first === "number" && first > bottom + 1 && first <= atLeast)
    throw new EndpointFailure("missing", `has pruned everything before slot ${first}`);
}
