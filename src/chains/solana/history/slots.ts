import { LRUCache } from "lru-cache";
import type { Clock } from "../../../lib/clock.ts";
import type { BlockRef } from "../../reader.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { skippedSlotCodes } from "../classify-error.ts";
import { readClock, type SlotTime } from "./read-clock.ts";

export type Slots = {
  /** The newest slot that a supermajority has voted for. */
  head(): Promise<SlotTime>;
  finalized(): Promise<number>;
  /** The oldest slot that some node has; undefined when a node does not say it. */
  oldest(): Promise<number | undefined>;
  /** The time of a slot, or of the newest block shortly before it; undefined when there is none. */
  timeOf(slot: number): Promise<number | undefined>;
  /** The block reference of a slot; undefined when its time is not known. */
  refOf(slot: number): Promise<BlockRef | undefined>;
  /** The block hashes of slots, as far as the nodes know them. */
  hashesOf(slots: readonly number[]): Promise<Map<number, string>>;
  /** Adds the hash of a slot, so that it is not read. */
  addHash(slot: number, hash: string): void;
};

/** The streamed hashes to keep; a slot is read soon after it was streamed. */
const maxHashes = 2_000;
/** The number of slots in which to search for a block before a skipped slot. */
const searchedSlots = 64;

/** A clock may be wrong by hours, but not by a day. */
const maxAheadSeconds = 86_400;
/** Far more than any cluster has, also with shorter slots. */
const maxSlotsPerSecond = 100;
const maxSlotsAtOnce = 1_000_000;

/** The latest time that a block can have now. */
export function latestTime(clock: Clock): number {
  return clock.now().getTime() / 1000 + maxAheadSeconds;
}

export function makeSlots(rpc: Rpc, clock: Clock, prefer: () => number | undefined): Slots {
  let newest: SlotTime | undefined;
  const streamed = new LRUCache<number, string>({ max: maxHashes });

  async function readHead(session: Session): Promise<SlotTime> {
    const clock = await readClock(session);
    if (clock) return advanceTo(clock);
    const slot = await slotAt(session, "confirmed");
    if (newest?.slot === slot) return newest;
    const time = (await timeAt(session, slot)) ?? (await timeBefore(session, slot)) ?? newest?.time;
    if (time === undefined) throw new EndpointFailure("missing", "does not know the time of a slot");
    return advanceTo({ slot, time });
  }

  function advanceTo({ slot, time }: SlotTime): SlotTime {
    requirePlausible({ slot, time });
    newest = { slot, time: Math.max(time, newest && newest.slot < slot ? newest.time : 0) };
    return newest;
  }

  /** Everything would wait for a slot that the chain reaches in a thousand years, and time never runs backwards. */
  function requirePlausible({ slot, time }: SlotTime): void {
    if (time > latestTime(clock)) throw new EndpointFailure("inconsistent", "returned a time in the future");
    const elapsed = newest ? Math.max(0, time - newest.time) : Infinity;
    if (newest && slot > newest.slot + maxSlotsAtOnce + maxSlotsPerSecond * elapsed)
      throw new EndpointFailure("inconsistent", "returned a slot far in the future");
  }

  async function timeOf(slot: number): Promise<number | undefined> {
    if (newest?.slot === slot) return newest.time;
    const work = async (session: Session) => (await timeAt(session, slot)) ?? timeBefore(session, slot);
    const time = await rpc.use(work, { prefer: prefer() });
    return time !== undefined && time <= latestTime(clock) ? time : undefined;
  }

  return {
    head: () => rpc.use(readHead, { prefer: prefer() }),
    finalized: () => rpc.use((session) => slotAt(session, "finalized"), { prefer: prefer() }),
    oldest: () => oldestSlot(rpc),
    timeOf,
    async refOf(slot) {
      const time = await timeOf(slot);
      return time === undefined ? undefined : blockRefAt(slot, time);
    },
    async hashesOf(slots) {
      const knownTimes = new Map(
        slots.flatMap((slot): [number, string][] => {
          const hash = streamed.get(slot);
          return hash === undefined ? [] : [[slot, hash]];
        }),
      );
      const unknown = slots.filter((slot) => !knownTimes.has(slot));
      return new Map([...knownTimes, ...(await fetchHashes(rpc, unknown, prefer()))]);
    },
    addHash: (slot, hash) => void streamed.set(slot, hash),
  };
}

/** The block reference of a slot whose contents were not read. */
export function blockRefAt(height: number, time: number): BlockRef {
  return { height, hash: String(height), parent_hash: "", time };
}

/** A hash only helps people to find the block elsewhere, so a failure is ignored. */
async function fetchHashes(
  rpc: Rpc,
  slots: readonly number[],
  prefer: number | undefined,
): Promise<Map<number, string>> {
  const options = {
    transactionDetails: "none",
    rewards: false,
    commitment: "confirmed",
    maxSupportedTransactionVersion: 1,
  };
  const calls = slots.map((slot) => ({ method: "getBlock", params: [slot, options] }));
  if (calls.length === 0) return new Map();
  const replies = await rpc.batch(calls, { prefer, totalMs: 3_000 }).catch(() => []);
  return new Map(
    slots.flatMap((slot, index): [number, string][] => {
      const reply = replies[index];
      const hash = reply?.ok ? (reply.result as { blockhash?: unknown } | null)?.blockhash : undefined;
      return typeof hash === "string" && hash.length <= 64 ? [[slot, hash]] : [];
    }),
  );
}

async function oldestSlot(rpc: Rpc): Promise<number | undefined> {
  const first = async (session: Session) => {
    try {
      return await session.request("getFirstAvailableBlock", []);
    } catch (error) {
      if (error instanceof RpcError || (error instanceof EndpointFailure && error.kind === "unsupported"))
        return undefined;
      throw error;
    }
  };
  const reported = await rpc.survey(first);
  // A node that failed to answer may have more than the others.
  if (reported.length < rpc.endpoints || !reported.every(Number.isSafeInteger)) return undefined;
  return Math.min(...(reported as number[]));
}

async function slotAt(session: Session, commitment: "confirmed" | "finalized"): Promise<number> {
  const slot = await session.request("getSlot", [{ commitment }]);
  if (!Number.isSafeInteger(slot))
    throw new EndpointFailure("malformed", "returned a slot that is not a number");
  return slot as number;
}

/** Undefined where the slot was skipped, or the node does not know its time. */
async function timeAt(session: Session, slot: number): Promise<number | undefined> {
  try {
    const time = await session.request("getBlockTime", [slot]);
    return Number.isSafeInteger(time) ? (time as number) : undefined;
  } catch (error) {
    if (error instanceof RpcError && skippedSlotCodes.has(error.code)) return undefined;
    throw error;
  }
}

/** The time of the newest block before a skipped slot. */
async function timeBefore(session: Session, slot: number): Promise<number | undefined> {
  const params = [Math.max(0, slot - searchedSlots), slot, { commitment: "confirmed" }];
  const slots = await session.request<unknown>("getBlocks", params);
  const newest = Array.isArray(slots) ? slots.filter(Number.isSafeInteger).at(-1) : undefined;
  return newest === undefined ? undefined : timeAt(session, newest);
}
