import type { Clock } from "../../lib/clock.ts";
import type { CallCounter } from "./call-counter.ts";

/** A limit of calls a day, and what is left of it. */
export type CallBudget = {
  callsPerDay: number;
  /**
   * The shortest wait until the next poll with which the calls of today last until midnight (UTC), if polls cost as much as
   * the last ones. Call it once per poll.
   */
  waitMs(): number;
  /** The number of blocks that may still be read today. */
  blocksLeft(): number;
};

const dayMs = 86_400_000;
/** Even without any calls left, the chain is polled now and then, so that its status stays true. */
const maxWaitMs = 10 * 60_000;
/** The weight of the last poll in the average cost of a poll. */
const weight = 0.2;
/** A poll that costs more times the average counts as this much: catching up is no reason to poll rarely afterwards. */
const maxGrowth = 4;

/** What a block costs at most, where it is read whole. */
const callsPerBlock = 4;
/** What a poll that reads nothing but the head costs at most. */
const callsPerHead = 2;

export function makeCallBudget(callsPerDay: number, counter: CallCounter, clock: Clock): CallBudget {
  let spentBefore: number | undefined;
  let callsPerPoll = 1;
  return {
    callsPerDay,
    waitMs() {
      const spent = counter.today();
      const calls = spent - (spentBefore ?? spent);
      spentBefore = spent;
      const counted = Math.min(calls, maxGrowth * callsPerPoll);
      if (calls >= 0) callsPerPoll = Math.max(1, (1 - weight) * callsPerPoll + weight * counted);
      const leftMs = dayMs - (clock.now().getTime() % dayMs);
      const polls = (callsPerDay - spent) / callsPerPoll;
      return polls <= 0 ? maxWaitMs : Math.min(maxWaitMs, leftMs / polls);
    },
    blocksLeft() {
      const leftMs = dayMs - (clock.now().getTime() % dayMs);
      const reserved = callsPerHead * Math.ceil(leftMs / maxWaitMs);
      return Math.max(0, Math.floor((callsPerDay - reserved - counter.today()) / callsPerBlock));
    },
  };
}
