import type { Chain } from "../../chain.ts";
import type { Pace } from "../../reader.ts";
import type { ReadingPlan } from "../../reading-plan.ts";
import { type CallBudget, describeBudget } from "../../rpc/call-budget.ts";
import { estimateCalls } from "./estimate-calls.ts";

/** Decides how long to wait between two polls of the head, by what is read of the chain. */
export type Polling = {
  follow(plan: ReadingPlan): void;
  /** The wait after a poll; `isNew` if it found a new head. Call it once per poll. */
  nextPauseMs(isNew: boolean): number;
  /** True if announcements of new heads are of use. */
  wakesOnHeads(): boolean;
  pace(): Pace;
  /** The number of blocks that may still be read today. */
  blocksLeft(): number;
  /** A sentence for the operator while the budget slows the polls. */
  warning(): string | undefined;
};

export type PollingOptions = {
  chain: Chain;
  /** The interval that the operator chose. */
  pollMs?: number | undefined;
  budget?: CallBudget | undefined;
};

/** Nobody waits for anything of a chain that nobody watches. */
const idleMs = 60_000;
/** Polls that find several blocks at once cost less for each. */
const minLogsMs = 9_000;
const minBlocksMs = 250;
/** A development chain makes blocks when it is used. */
const developmentMs = 500;
const developmentIdleMs = 5_000;

export function makePolling({ chain, pollMs, budget }: PollingOptions): Polling {
  let plan: ReadingPlan = {
    ...{ reads: "blocks", needs: { receipts: false } },
    ...{
      pollingSeconds: undefined,
      stateTargets: 0,
      ownCalls: 0,
      stateAddresses: new Set(),
      holders: new Map(),
      awaitsFinality: false,
    },
  };
  let slowedToMs: number | undefined;
  const periodMs = () => choosePeriodMs(chain, plan, pollMs);

  function warning(): string | undefined {
    if (!budget) return undefined;
    const estimate = (pollSeconds: number) => estimateCalls(chain, plan, pollSeconds);
    const isUsedUp = budget.blocksLeft() === 0;
    return describeBudget(budget, { what: "Blocks", isUsedUp, periodMs: periodMs(), slowedToMs, estimate });
  }

  return {
    warning,
    follow(next) {
      plan = next;
    },
    blocksLeft: () => budget?.blocksLeft() ?? Number.POSITIVE_INFINITY,
    wakesOnHeads: () => (plan.reads === "logs" || plan.reads === "blocks") && slowedToMs === undefined,
    nextPauseMs(isNew) {
      const period = periodMs();
      const leastMs = budget?.waitMs() ?? 0;
      slowedToMs = leastMs > 1.5 * period ? leastMs : undefined;
      return Math.max(leastMs, isNew ? period : repeatMs(chain, period));
    },
    pace() {
      const pollSeconds = (slowedToMs ?? periodMs()) / 1000;
      return {
        pollSeconds,
        callsPerDay: estimateCalls(chain, plan, pollSeconds),
        isSlowed: slowedToMs !== undefined,
      };
    },
  };
}

/** The time between two polls that find something new. */
function choosePeriodMs(chain: Chain, plan: ReadingPlan, chosenMs: number | undefined): number {
  const { block_time_ms, alwaysProducesBlocks } = chain;
  if (plan.reads === "nothing") return alwaysProducesBlocks ? idleMs : developmentIdleMs;
  if (chosenMs !== undefined) return chosenMs;
  if (!alwaysProducesBlocks) return developmentMs;
  if (plan.reads === "blocks") return Math.max(minBlocksMs, block_time_ms);
  const stateMs = plan.reads === "state" ? Math.min(idleMs, (plan.pollingSeconds ?? 0) * 500) : 0;
  return Math.max(minLogsMs, block_time_ms, stateMs);
}

/** After a block, the next one is waited for as long as blocks take. If it is late, it is asked for more often. */
function repeatMs({ block_time_ms }: Chain, periodMs: number): number {
  return periodMs > block_time_ms ? periodMs : Math.max(minBlocksMs, periodMs / 4);
}
