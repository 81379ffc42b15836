import { z } from "zod";
import { medianOf } from "../../lib/anomaly/median.ts";
import { durationText } from "../../lib/text.ts";
import { defineMeter, type TimedReading } from "../meter.ts";
import { readingOrProblem, wordOf } from "../state-results.ts";
import { numberText } from "../words.ts";

/** The intervals that are remembered, and the least that show a rhythm. */
const maxIntervals = 48;
const minIntervals = 8;
/**
 * Activity has a rhythm if few intervals are this many times longer or shorter than the usual one. Activity at random has few long
 * ones by chance at first, but many short ones. Some short ones are left to retries. Where blocks are as far apart as the
 * transactions, activity at random has intervals of one block, of two and of more, so that twice as long is long.
 */
const regularity = 2;
const [maxLongShare, maxShortShare] = [1 / 10, 1 / 5];

/** Measures whether regular activity is overdue. */
export const activityRhythm = defineMeter({
  type: "activity_rhythm",
  title: "Rhythm of activity",
  about:
    "Seconds since the last transaction to or from the contract or wallet, divided by its usual interval, which is learned from the last 48 intervals: 1 is on time, 3 is two intervals late. There is no value before eight intervals, or if the activity is not regular.",
  unit: "intervals",
  families: ["evm", "solana"],
  instances: "one",
  config: z.strictObject({
    direction: z
      .enum(["to", "from", "any"])
      .default("any")
      .describe("Transactions to the address, from it, or both"),
  }),
  needs: ["state", "transactions"],
  aggregation: "last",

  measure({ direction }, { time, calls }, _subject, previous) {
    const newest = calls
      .filter((call) => direction === "any" || call.direction === direction)
      .toSorted((a, b) => a.tx_index - b.tx_index)
      .at(-1);
    if (!newest) return [];
    const rhythm = rhythmOf(previous);
    const interval = rhythm.last_activity === null ? 0 : time - rhythm.last_activity;
    // Several transactions of one block or of one task are one activity.
    const intervals = interval > 0 ? [...rhythm.intervals, interval].slice(-maxIntervals) : rhythm.intervals;
    const evidence = { last_activity: time, intervals };
    return [{ value: 0, tx_hash: newest.tx_hash, position: null, evidence }];
  },

  // The value is not used. A state read makes the target polled, so that it has readings while nothing happens.
  reads(_config, { address }) {
    return [{ kind: "balance", address }];
  },

  dependsOnTime: true,

  interpret(_config, [result], _subject, { time, previous }) {
    return readingOrProblem(() => {
      wordOf(result, "The balance");
      const { last_activity, intervals } = rhythmOf(previous);
      const usual_interval = usualInterval(intervals);
      const evidence = { last_activity: last_activity ?? time, intervals, usual_interval };
      const value = usual_interval === null ? 0 : Math.max(0, time - evidence.last_activity) / usual_interval;
      return { value, evidence };
    });
  },

  summarise(_config, window) {
    const newest = window.at(-1);
    return newest && usualInterval(rhythmOf(newest).intervals) !== null ? newest.value : null;
  },

  describe(_config, { reading, value }) {
    const usual = reading?.evidence?.usual_interval;
    if (typeof usual !== "number") return `no transaction for ${numberText(value)} usual intervals`;
    return `no transaction for ${durationText(Math.round(value * usual))}, usually every ${durationText(usual)}`;
  },
});

type Rhythm = { last_activity: number | null; intervals: number[] };

/** Each reading copies the rhythm from its predecessor, because only the newest reading is available. */
function rhythmOf(previous: TimedReading | undefined): Rhythm {
  const parsed = rhythmShape.safeParse(previous?.evidence ?? {});
  return parsed.success ? parsed.data : { last_activity: null, intervals: [] };
}

const rhythmShape = z.object({
  last_activity: z.number().nullable().default(null),
  intervals: z.array(z.number()).default([]),
});

/** Returns the usual interval; null while too few are known, or if they differ too much. */
function usualInterval(intervals: readonly number[]): number | null {
  if (intervals.length < minIntervals) return null;
  const usual = medianOf(intervals);
  const long = intervals.filter((interval) => interval >= regularity * usual).length;
  const short = intervals.filter((interval) => interval <= usual / regularity).length;
  const isRegular = long <= maxLongShare * intervals.length && short <= maxShortShare * intervals.length;
  return isRegular ? usual : null;
}
