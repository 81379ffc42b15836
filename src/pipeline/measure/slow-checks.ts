import type { Meter, TimedReading } from "../../meters/meter.ts";

type CheckedTarget = { id: string; meter: Meter; config: Record<string, unknown> };

/**
 * The seconds until the next poll of a target whose changes are events; 0 for any other target. Each target has its own place
 * within the interval, so that the checks of many do not come all at once.
 */
export function secondsUntilCheck(
  { id, meter, config }: CheckedTarget,
  newest: TimedReading | undefined,
  now: number,
): number {
  const seconds = meter.minPollingSeconds?.(config, newest) ?? 0;
  if (seconds === 0) return 0;
  const place = Math.floor((Number.parseInt(id.slice(-6), 16) / 0xffffff) * seconds);
  return seconds - ((((now - place) % seconds) + seconds) % seconds);
}
