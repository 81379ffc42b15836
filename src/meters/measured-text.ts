import { durationText } from "../lib/text.ts";
import type { Aggregation, Occasion } from "./meter.ts";
import { numberText } from "./words.ts";

type Reduced = Pick<Occasion, "aggregation" | "window_seconds">;

/** Says over which time a number was added up, such as "in 5 min"; a rate is per minute. */
export function spanText({ aggregation, window_seconds }: Reduced): string {
  const span = durationText(window_seconds);
  return aggregation === "rate" ? `a minute over ${span}` : `in ${span}`;
}

/** Says how often something happened: "12 times in 5 min". */
export function timesText({ value, ...reduced }: Reduced & Pick<Occasion, "value">): string {
  return `${value === 1 ? "once" : `${numberText(value)} times`} ${spanText(reduced)}`;
}

/** Names what a window was reduced to; undefined for a sum, a count, a rate and the newest value. */
export function reducedName(aggregation: Aggregation): string | undefined {
  return names[aggregation];
}

const names: Partial<Record<Aggregation, string>> = {
  avg: "an average",
  min: "a minimum",
  max: "a maximum",
  p95: "a 95th percentile",
};

/** True if the value is that of the reading, so that a text can say who did it; a count or a rate never is. */
export function isOfOneReading({ reading, value, aggregation, isEach }: Occasion): boolean {
  if (isEach || aggregation === "last") return true;
  return reading?.value === value && aggregation !== "rate" && aggregation !== "count";
}

/** Says what a state is and, where it is known, what it was, after what was measured: "fell from 9 ETH to 5 ETH". */
export function movementText(
  occasion: Occasion,
  write: (value: number) => string = numberText,
  verb = "is",
): string {
  const { value, previous, isEach, aggregation } = occasion;
  if (!isEach && aggregation !== "last") return reducedText(occasion, write);
  const [before, after] = [previous && write(previous.value), write(value)];
  if (!previous || before === after) return `${verb} ${after}`;
  return `${value < previous.value ? "fell" : "rose"} from ${before} to ${after}`;
}

/** Says what the readings of a window amount to, to be read after what was measured: "adds up to 5 in 5 min". */
export function reducedText(
  { value, ...reduced }: Reduced & Pick<Occasion, "value">,
  write: (value: number) => string = numberText,
): string {
  const { aggregation } = reduced;
  if (aggregation === "count") return `was measured ${timesText({ value, ...reduced })}`;
  const name = reducedName(aggregation);
  return `${name ? `has ${name} of` : "adds up to"} ${write(value)} ${spanText(reduced)}`;
}

/** Says what a state was, after what it is: ", up from 80 %". Empty where it is not known or the same. */
export function fromText(
  { value, previous, isEach, aggregation }: Occasion,
  write: (value: number) => string = numberText,
): string {
  const isNewest = isEach || aggregation === "last";
  if (!isNewest || !previous || write(previous.value) === write(value)) return "";
  return `, ${value > previous.value ? "up" : "down"} from ${write(previous.value)}`;
}
