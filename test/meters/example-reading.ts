import { meterOf } from "../../src/meters/index.ts";
import type { Meter, TimedReading } from "../../src/meters/meter.ts";
import type { Example } from "./event-examples.ts";
import { at, hash, start, subject, timed } from "./scripted-activity.ts";

/** An example as the engine sees it. */
export type Occurred = {
  meter: Meter;
  config: Record<string, unknown>;
  reading: TimedReading;
  previous: TimedReading | undefined;
};

/** Builds the reading of an example: with results of reads, what the meter makes of them, else what the example says. */
export function occurred(example: Example): Occurred {
  const meter = meterOf(example.type);
  if (!meter) throw new Error(`There is no target type ${example.type}.`);
  const config = meter.config.parse(example.config ?? {});
  if ("results" in example) return { meter, config, ...polled(meter, config, example) };
  const { value = 1, evidence, was } = example;
  const reading = { height: 101, time: start + 60, value, tx_hash: hash(1), position: null };
  const previous = was && { ...reading, height: 100, time: start, tx_hash: null, ...was };
  return { meter, config, reading: { ...reading, ...(evidence && { evidence }) }, previous };
}

function polled(
  meter: Meter,
  config: Record<string, unknown>,
  { before, results, subject: on = subject }: Extract<Example, { results: unknown }>,
): Pick<Occurred, "reading" | "previous"> {
  const previous = before && timed(meter.interpret?.(config, before, on, at(start)));
  const reading = meter.interpret?.(config, results, on, at(start + 60, previous));
  return { previous, reading: timed(reading, start + 60, 101) };
}
