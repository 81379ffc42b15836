import type { TimedReading } from "../../meters/meter.ts";
import { compares } from "./evaluate-value.ts";
import { comparedPart, describeComparison } from "./evaluate-window.ts";
import type { Rule } from "./rule.ts";
import type { RuleState } from "./rule-state.ts";

/** A new reading of a series, with the one before it. */
export type FreshReading = {
  reading: TimedReading;
  previous: TimedReading | undefined;
  /** The hash of the block of the reading, which may be earlier than the block that is processed. */
  block_hash: string;
};

/** A reading for which the condition of an `each` rule holds. */
export type Occurrence = FreshReading & {
  /** Distinguishes the readings of one transaction, or of one log, in their order. */
  ordinal: number;
  notifies: boolean;
  clause: string;
  /** The state of the rule after the occurrence. */
  state: RuleState;
};

/** Evaluates each new reading individually. Depends on its arguments only, so a replay finds the same occurrences. */
export function* findOccurrences(
  rule: Pick<Rule, "condition" | "cooldown_seconds">,
  before: RuleState,
  fresh: readonly FreshReading[],
): Generator<Occurrence, void, void> {
  let last: Occurrence | undefined;
  const seen = new Map<string, number>();
  for (const freshReading of fresh) {
    const key = `${freshReading.reading.tx_hash} ${freshReading.reading.position}`;
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    if (!occurs(rule, freshReading)) continue;
    last = toOccurrence(rule, freshReading, ordinal, last, before);
    yield last;
  }
}

function toOccurrence(
  { condition, cooldown_seconds }: Pick<Rule, "condition" | "cooldown_seconds">,
  freshReading: FreshReading,
  ordinal: number,
  last: Occurrence | undefined,
  before: RuleState,
): Occurrence {
  const state = last?.state ?? before;
  const { time, value, tx_hash } = freshReading.reading;
  const isCool = state.last_notified_at === null || time - state.last_notified_at >= cooldown_seconds;
  // Alerts of one transaction are one message, so the cooldown need not separate them.
  const isSameMessage = last?.notifies === true && tx_hash !== null && last.reading.tx_hash === tx_hash;
  const notifies = isCool || isSameMessage;
  return {
    ...freshReading,
    ordinal,
    notifies,
    clause: `value ${describeComparison(condition, value)}`,
    state: {
      ...state,
      last_fired_at: time,
      ...(notifies && { last_notified_at: time, notified: "fired" as const }),
    },
  };
}

/** A state that was read is an occurrence only when it differs from the reading before: nothing happened otherwise. */
function occurs({ condition }: Pick<Rule, "condition">, { reading, previous }: FreshReading): boolean {
  const isChange = previous !== undefined && comparedPart(previous) !== comparedPart(reading);
  if (condition.operator === "changed") return isChange;
  return (reading.tx_hash !== null || isChange) && compares(condition, reading.value);
}
