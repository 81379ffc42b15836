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
  /** The number of calls that may still be made today, beside those that read the head until midnight. */
  callsLeft(): number;
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

  function callsLeft(): number {
    const leftMs = dayMs - (clock.now().getTime() % dayMs);
    const reserved = callsPerHead * Math.ceil(leftMs / maxWaitMs);
    return Math.max(0, callsPerDay - reserved - counter.today());
  }

  return {
    callsPerDay,
    callsLeft,
    blocksLeft: () => Math.floor(callsLeft() / callsPerBlock),
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
  };
}

/** The longest interval between polls to which a budget slows them. */
const rarestSeconds = maxWaitMs / 1000;

/** What a budget has to be described by. */
export type Spending = {
  /** What is read again after midnight, as the subject of a sentence. */
  what: string;
  isUsedUp: boolean;
  /** The interval between polls without the budget, and with it if it is longer. */
  periodMs: number;
  slowedToMs: number | undefined;
  /** The calls a day at an interval between polls. */
  estimate(pollSeconds: number): number;
};

/** A sentence for the operator while the budget slows or stops the polls, or is too small. */
export function describeBudget({ callsPerDay }: CallBudget, spending: Spending): string | undefined {
  const { what: subject, isUsedUp, periodMs, slowedToMs, estimate } = spending;
  if (isUsedUp)
    return (
      `The budget of ${callsPerDay} calls a day is used up. ` +
      `${subject} are read again, from the first that was not read, after midnight (UTC).`
    );
  const leastCalls = estimate(rarestSeconds);
  if (leastCalls > callsPerDay)
    return (
      `What is watched costs about ${leastCalls} calls a day even if the chain is polled rarely, more than the budget of ` +
      `${callsPerDay}: ${subject.toLowerCase()} are read late once it is used up.`
    );
  if (slowedToMs === undefined) return undefined;
  return (
    `The chain is polled every ${Math.round(slowedToMs / 1000)} seconds instead of every ` +
    `${Math.round(periodMs / 1000)}, to stay within the budget of ${callsPerDay} calls a day.`
  );
}
