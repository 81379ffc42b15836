import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { skippedSlot } from "../classify-error.ts";

/** A slot, and when it was. */
export type SlotTime = { slot: number; time: number };

export type Slots = {
  /** The newest slot that a supermajority has voted for. */
  head(): Promise<SlotTime>;
  finalized(): Promise<number>;
  /** When a slot was, or the newest before it that has a block; undefined when none is near. */
  timeOf(slot: number): Promise<number | undefined>;
  /** The hashes of the blocks of slots, where the nodes tell. */
  hashesOf(slots: readonly number[]): Promise<Map<number, string>>;
};

/** How far back to look for a block when slots were skipped. */
const nearby = 64;

export function makeSlots(rpc: Rpc, prefer: () => number | undefined): Slots {
  let known: SlotTime | undefined;

  async function head(): Promise<SlotTime> {
    return rpc.use(
      async (session) => {
        const slot = await slotOf(session, "confirmed");
        if (known?.slot === slot) return known;
        const time = (await timeAt(session, slot)) ?? (await timeBefore(session, slot)) ?? known?.time;
        if (time === undefined) throw new EndpointFailure("missing", "does not say when a slot was");
        known = { slot, time: Math.max(time, known && known.slot < slot ? known.time : 0) };
        return known;
      },
      { prefer: prefer() },
    );
  }

  return {
    head,
    finalized: () => rpc.use((session) => slotOf(session, "finalized"), { prefer: prefer() }),
    timeOf: async (slot) =>
      known?.slot === slot
        ? known.time
        : rpc.use(async (session) => (await timeAt(session, slot)) ?? timeBefore(session, slot), {
            prefer: prefer(),
          }),
    async hashesOf(slots) {
      const options = {
        transactionDetails: "none",
        rewards: false,
        commitment: "confirmed",
        maxSupportedTransactionVersion: 1,
      };
      const calls = slots.map((slot) => ({ method: "getBlock", params: [slot, options] }));
      // A hash only helps people to find the block elsewhere; nothing depends on it.
      const answers = await rpc.batch(calls, { prefer: prefer(), totalMs: 3_000 }).catch(() => []);
      return new Map(
        slots.flatMap((slot, at): [number, string][] => {
          const answer = answers[at];
          const hash = answer?.ok ? (answer.result as { blockhash?: unknown } | null)?.blockhash : undefined;
          return typeof hash === "string" && hash.length <= 64 ? [[slot, hash]] : [];
        }),
      );
    },
  };
}

async function slotOf(session: Session, commitment: "confirmed" | "finalized"): Promise<number> {
  const slot = await session.request("getSlot", [{ commitment }]);
  if (!Number.isSafeInteger(slot)) throw new EndpointFailure("malformed", "sent a slot that is no number");
  return slot as number;
}

/** Undefined where the slot was skipped, or the time is not known. */
async function timeAt(session: Session, slot: number): Promise<number | undefined> {
  try {
    const time = await session.request("getBlockTime", [slot]);
    return Number.isSafeInteger(time) ? (time as number) : undefined;
  } catch (error) {
    if (error instanceof RpcError && skippedSlot.has(error.code)) return undefined;
    throw error;
  }
}

/** A skipped slot is no gap: the block before it is the newest there was. */
async function timeBefore(session: Session, slot: number): Promise<number | undefined> {
  const params = [Math.max(0, slot - nearby), slot, { commitment: "confirmed" }];
  const slots = await session.request<unknown>("getBlocks", params);
  const newest = Array.isArray(slots) ? slots.filter(Number.isSafeInteger).at(-1) : undefined;
  return newest === undefined ? undefined : timeAt(session, newest);
}
