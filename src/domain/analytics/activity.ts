import type { App } from "../../app.ts";
import { listEventsByIds } from "../../store/alerts/history.ts";
import {
  type ActivityCount,
  countActivity,
  listActivity,
  listTouchedHours,
  type Span,
} from "../../store/analytics/activity.ts";
import type { Activity, ActivityQuery } from "../../wire/analytics/analytics.ts";
import { withDeliveries } from "../alerts/events/alert-events.ts";
import type { OrgCaller } from "../caller.ts";
import { viewerOf } from "../viewer-of.ts";
import { offsetOf, spanOf } from "./analytics-span.ts";
import { type Bucket, bucketFor, bucketsOf } from "./buckets.ts";

const hourMs = 3_600_000;

/** Returns alert counts per bucket and one page of alerts. */
export async function getActivity(app: App, caller: OrgCaller, query: ActivityQuery): Promise<Activity> {
  const { page, page_size, bucket, from: _from, to: _to, ...filter } = query;
  const span = await spanOf(app, query);
  const width = bucketFor(span, bucket);
  const offset = offsetOf(query);
  const viewer = viewerOf(caller);
  const [counts, ids] = await Promise.all([
    partsOf(app, caller.org_id, span, { width, status: filter.status }).then((parts) =>
      countActivity(app.db, viewer, filter, parts, width),
    ),
    listActivity(app.db, viewer, filter, span, { limit: page_size, offset }),
  ]);
  const events = await withDeliveries(app.db, await listEventsByIds(app.db, caller.org_id, ids));
  const byId = new Map(events.map((event) => [event.id, event]));
  return {
    buckets: fillBuckets(span, width, counts),
    items: ids.flatMap((id) => byId.get(id) ?? []),
    page,
    page_size,
    total: counts.reduce((sum, { total }) => sum + total, 0),
  };
}

/** Splits a range into full hours with precomputed counts, and the rest: partial hours and hours changed since. */
async function partsOf(
  app: App,
  org_id: string,
  span: Span,
  { width, status }: { width: Bucket; status: string | undefined },
) {
  const from = new Date(Math.ceil(span.from.getTime() / hourMs) * hourMs);
  const to = new Date(Math.floor(span.to.getTime() / hourMs) * hourMs);
  const none = { from: span.to, to: span.to };
  // The status of an alert changes, so that it is not counted in advance.
  if (width === "minute" || status !== undefined || from >= to)
    return { counted: none, except: [], raw: [span] };
  const counted = { from, to };
  const except = await listTouchedHours(app.db, org_id, counted);
  const touched = except.map((hour) => ({ from: hour, to: new Date(hour.getTime() + hourMs) }));
  return { counted, except, raw: [{ from: span.from, to: from }, ...touched, { from: to, to: span.to }] };
}

/** Returns all buckets of the range, including empty ones. */
function fillBuckets(span: Span, width: Bucket, counts: ActivityCount[]): Activity["buckets"] {
  const byTime = Map.groupBy(counts, ({ at }) => at.getTime());
  return bucketsOf(span, width).map((at) => {
    const shown = { info: 0, warning: 0, critical: 0 };
    for (const { severity, total } of byTime.get(at.getTime()) ?? []) shown[severity] += total;
    return { at: at.toISOString(), counts: shown, total: shown.info + shown.warning + shown.critical };
  });
}
