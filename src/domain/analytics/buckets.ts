import type { z } from "zod";
import { InvalidRequest } from "../../errors/app-error.ts";
import type { Span } from "../../store/analytics/activity.ts";
import type { Bucket as BucketShape } from "../../wire/analytics/analytics.ts";

export type Bucket = z.infer<typeof BucketShape>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** More than a chart can show. */
const maxBuckets = 1_500;

/** Returns the requested width, or one that suits the range; rejects a width with too many buckets. */
export function bucketFor(span: Span, requested: Bucket | undefined): Bucket {
  const length = span.to.getTime() - span.from.getTime();
  if (!requested) return length <= 3 * hourMs ? "minute" : length <= 7 * dayMs ? "hour" : "day";
  const widths = { minute: minuteMs, hour: hourMs, day: dayMs, week: 7 * dayMs, month: 28 * dayMs };
  if (length / widths[requested] <= maxBuckets) return requested;
  const msg = `would divide the time range into more than ${maxBuckets} buckets`;
  throw new InvalidRequest([{ loc: ["query", "bucket"], msg, type: "value_error" }]);
}

/** Returns the start of each bucket in UTC, as PostgreSQL's date_trunc computes it: weeks begin on Mondays. */
export function bucketsOf({ from, to }: Span, width: Bucket): Date[] {
  const starts: Date[] = [];
  for (let index = startOf(from, width); index < to; index = nextAfter(index, width)) starts.push(index);
  return starts;
}

function startOf(time: Date, width: Bucket): Date {
  const ms = time.getTime();
  if (width === "month") return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1));
  if (width === "week") {
    const day = Math.floor(ms / dayMs);
    // Day 0 was a Thursday.
    return new Date((day - ((day + 3) % 7)) * dayMs);
  }
  const step = { minute: minuteMs, hour: hourMs, day: dayMs }[width];
  return new Date(Math.floor(ms / step) * step);
}

function nextAfter(at: Date, width: Bucket): Date {
  if (width === "month") return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
  return new Date(at.getTime() + { minute: minuteMs, hour: hourMs, day: dayMs, week: 7 * dayMs }[width]);
}
