import type { ProfiledFacts } from "../classify/facts.ts";

/** A recommended target, in the form that `POST …/targets` accepts, with the reason. */
export type SuggestedTarget = { target_type: string; config: Record<string, unknown>; reason: string };

export type Suggest = (facts: ProfiledFacts) => SuggestedTarget[];

export function suggestion(
  target_type: string,
  config: Record<string, unknown>,
  reason: string,
): SuggestedTarget {
  return { target_type, config, reason };
}
