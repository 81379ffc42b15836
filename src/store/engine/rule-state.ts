import { z } from "zod";

/** The state of a rule. Plain data: it is stored per block and restored when a reorg removes the block. */
const ruleState = z.object({
  phase: z.enum(["ok", "pending", "firing"]).default("ok"),
  /** Block time at which the phase began. */
  since: z.number().default(0),
  /** The event of the current episode while firing. */
  event_id: z.string().nullable().default(null),
  /** While firing: the block time since which the condition has not held. */
  clear_since: z.number().nullable().default(null),
  last_fired_at: z.number().nullable().default(null),
  last_notified_at: z.number().nullable().default(null),
  /** The pending or firing episode is about missing data, not about the condition. */
  is_no_data: z.boolean().default(false),
  /** The kind of episode that recipients were last notified of. */
  notified: z.enum(["fired", "no_data"]).nullable().default(null),
  /** Recipients were notified of the current episode; false while the cooldown suppresses that. */
  is_notified: z.boolean().default(false),
  /** The number of reminders sent in the current episode. */
  reminders: z.number().default(0),
});

export type RuleState = z.infer<typeof ruleState>;

export const initialState: RuleState = ruleState.parse({});

/** Parses a stored state; null gives the initial state, and fields that an older version did not store get their defaults. */
export function parseRuleState(stored: unknown): RuleState {
  return stored === null ? initialState : ruleState.parse(stored);
}
