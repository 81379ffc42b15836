import type { TimedReading } from "../../meters/meter.ts";
import type { Evaluation } from "./evaluation.ts";

type Described = Pick<Evaluation, "cause" | "occurrence" | "windowResult">;

/** The reading of the rule's own target that an event is about, with the one before it where it is known. */
export function describedReading({ cause, occurrence, windowResult: { window, before } }: Described): {
  reading: TimedReading | undefined;
  previous: TimedReading | undefined;
} {
  if (occurrence) return occurrence;
  // With several conditions, the cause can be a reading of another target.
  const position = cause ? window.indexOf(cause) : -1;
  const index = position >= 0 ? position : window.length - 1;
  return { reading: window[index], previous: index > 0 ? window[index - 1] : before };
}
