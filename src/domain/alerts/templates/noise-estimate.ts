import { durationText } from "../../../lib/text.ts";
import type { NoiseEstimate } from "../../../wire/alerts/noise-estimate.ts";

/** Less of the past says nothing about a day. */
export const minPastSeconds = 3_600;
const daySeconds = 86_400;

/** The part of the past on which a rule was evaluated. */
export type EvaluatedPast = { source: "readings" | "chain"; from: number; to: number; blocks?: number };

/** Turns the number of times that a rule fired into an estimate, or says that the past is too short for one. */
export function toEstimate(fires: number, { source, from, to, blocks }: EvaluatedPast): NoiseEstimate {
  const seconds = to - from;
  if (seconds < minPastSeconds) return unknownNoise(tooShort(seconds));
  const estimated_from = { source, from: iso(from), to: iso(to), blocks: blocks ?? null };
  if (fires === 0 && seconds < daySeconds)
    return { fires_per_day: null, estimated_from, estimate_problem: quietSoFar(seconds) };
  // One time within less than a day shows no rate, only that there was one on that day.
  const fires_per_day = fires / (fires === 1 ? Math.max(1, seconds / daySeconds) : seconds / daySeconds);
  return { fires_per_day, estimated_from, estimate_problem: null };
}

/** An estimate that could not be made, with the reason. */
export function unknownNoise(estimate_problem: string): NoiseEstimate {
  return { fires_per_day: null, estimated_from: null, estimate_problem };
}

function tooShort(seconds: number): string {
  const coverage = seconds > 0 ? `covers ${durationText(seconds)}` : "is shorter than the window of the rule";
  return `The known past of the contract ${coverage}, which is too short to tell how often the rule would fire.`;
}

function quietSoFar(seconds: number): string {
  return `The rule would not have fired in the known past of ${durationText(seconds)}, which is too short to tell how often it would in a day.`;
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
