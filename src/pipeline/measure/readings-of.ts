import type { Activity } from "../../chains/activity.ts";
import type { Pause } from "../../lib/concurrency/pauses.ts";
import type { Reading, TimedReading } from "../../meters/meter.ts";
import type { WatchedTarget } from "../watch/watch-list.ts";

/** So few calls or events that even the most expensive filter takes a fraction of a second for them. */
const partSize = 50;

/**
 * Returns the readings of a target in a block. Of a block with very many events, they are measured in parts where the meter
 * allows it.
 */
export async function readingsOf(
  { meter, config, contract: { subject } }: Pick<WatchedTarget, "meter" | "config" | "contract">,
  activity: Activity,
  previous: TimedReading | undefined,
  pause: Pause,
): Promise<Reading[]> {
  if (!meter.measure) return [];
  if (!meter.measuresEach || sizeOf(activity) <= partSize)
    return meter.measure(config, activity, subject, previous);
  const readings: Reading[] = [];
  for (const part of partsOf(activity)) {
    await pause();
    for (const reading of meter.measure(config, part, subject, previous)) readings.push(reading);
  }
  return readings;
}

function sizeOf({ calls, events, internal = [] }: Activity): number {
  return calls.length + events.length + internal.length;
}

/** Divides an activity. Each part has calls, internal calls or events, in their order. */
function* partsOf(activity: Activity): Generator<Activity> {
  const { internal = [] } = activity;
  const none = { ...activity, calls: [], internal: [], events: [] };
  for (const calls of slicesOf(activity.calls)) yield { ...none, calls };
  for (const calls of slicesOf(internal)) yield { ...none, internal: calls };
  for (const events of slicesOf(activity.events)) yield { ...none, events };
}

function* slicesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let from = 0; from < items.length; from += partSize) yield items.slice(from, from + partSize);
}
