import type { Pace } from "../../reader.ts";
import type { ReadingPlan } from "../../reading-plan.ts";
import { type CallBudget, describeBudget } from "../../rpc/call-budget.ts";
import { estimateSolanaCalls } from "./estimate-calls.ts";

/** Decides how long to wait between two polls, by what is read of the chain. */
export type SolanaPolling = {
  follow(plan: ReadingPlan): void;
  watch(addresses: number): void;
  /** Sets the calls that each poll takes to search the token accounts of holders. */
  countSearches(calls: number): void;
  /** The wait until the next poll. Call it once per poll. */
  nextPauseMs(): number;
  /** The minimum time between two polls that announcements cause; undefined while none may. */
  hintPauseMs(): number | undefined;
  pace(): Pace;
  /** The number of calls that may still be made today. */
  callsLeft(): number;
  /** False while the calls of the day are used up: a poll may read the head and nothing else. */
  mayList(): boolean;
  /** A sentence for the operator while the budget slows or stops the polls. */
  warning(): string | undefined;
};

export type SolanaPollingOptions = {
  /** The interval that the operator chose. */
  pollMs?: number | undefined;
  budget?: CallBudget | undefined;
  /** The calls a day of the searches for vaults. */
  searchCalls: () => number;
};

/** Nobody waits for anything of a chain that nobody watches. */
const idleMs = 60_000;
const minStateMs = 10_000;
/** A poll lists every address, so the interval grows with their number. */
const onePollMs = 10_000;
const msPerTenfold = 8_000;
/** Announcements come in bursts, and a poll that they cause may list every address. */
const minHintMs = 2_000;
const hintMsPerAddress = 100;
/** A poll lists each address once, and reads the final slot. One that costs more of the budget is made all the same. */
const otherCalls = 1;
const maxShareOfPoll = 0.1;

export function makeSolanaPolling({ pollMs, budget, searchCalls }: SolanaPollingOptions): SolanaPolling {
  let plan: ReadingPlan | undefined;
  let addresses = 0;
  let searches = 0;
  let slowedToMs: number | undefined;
  const periodMs = () => choosePeriodMs(plan, addresses, pollMs);
  const estimate = (pollSeconds: number) =>
    estimateSolanaCalls({ plan, addresses, searches, pollSeconds, searchCalls: searchCalls() });
  const callsLeft = () => budget?.callsLeft() ?? Number.POSITIVE_INFINITY;
  const mayList = () =>
    !budget || callsLeft() >= Math.min(addresses + otherCalls, budget.callsPerDay * maxShareOfPoll);
  return {
    callsLeft,
    mayList,
    follow(next) {
      plan = next;
    },
    watch(count) {
      addresses = count;
    },
    countSearches(calls) {
      searches = calls;
    },
    nextPauseMs() {
      const period = periodMs();
      const leastMs = budget?.waitMs() ?? 0;
      slowedToMs = leastMs > 1.5 * period ? leastMs : undefined;
      return Math.max(leastMs, period);
    },
    hintPauseMs: () =>
      slowedToMs === undefined ? Math.max(minHintMs, addresses * hintMsPerAddress) : undefined,
    pace() {
      const pollSeconds = (slowedToMs ?? periodMs()) / 1000;
      return {
        pollSeconds,
        callsPerDay: estimate(pollSeconds),
        isSlowed: slowedToMs !== undefined,
      };
    },
    warning() {
      if (!budget) return undefined;
      const spending = { isUsedUp: !mayList(), periodMs: periodMs(), slowedToMs, estimate };
      return describeBudget(budget, { what: "Transactions", ...spending });
    },
  };
}

function choosePeriodMs(
  plan: ReadingPlan | undefined,
  addresses: number,
  chosenMs: number | undefined,
): number {
  if (plan?.reads === "nothing") return idleMs;
  if (chosenMs !== undefined) return chosenMs;
  if (addresses > 0) return onePollMs + msPerTenfold * Math.log10(addresses);
  return Math.max(minStateMs, Math.min(idleMs, (plan?.pollingSeconds ?? 0) * 500));
}
