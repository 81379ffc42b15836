import type { App } from "../../app.ts";
import { countAnomalies, listAnomalies } from "../../store/analytics/anomalies.ts";
import type { Anomalies, AnomaliesQuery } from "../../wire/analytics/analytics.ts";
import type { OrgCaller } from "../caller.ts";
import { viewerOf } from "../viewer-of.ts";
import { offsetOf, spanOf } from "./analytics-span.ts";
import { bucketsOf } from "./buckets.ts";

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Returns summary, one page and trend of anomalies. */
export async function getAnomalies(app: App, caller: OrgCaller, query: AnomaliesQuery): Promise<Anomalies> {
  const { page, page_size, from: _from, to: _to, ...filter } = query;
  const span = await spanOf(app, query);
  const offset = offsetOf(query);
  const width = span.to.getTime() - span.from.getTime() <= weekMs ? "hour" : "day";
  const viewer = viewerOf(caller);
  const [counts, rows] = await Promise.all([
    countAnomalies(app.db, viewer, filter, span, width),
    listAnomalies(app.db, viewer, filter, span, { limit: page_size, offset }),
  ]);
  const sumBy = <Key extends string>(keyOf: (row: (typeof counts)[number]) => Key) => {
    const sums: Partial<Record<Key, number>> = {};
    for (const row of counts) sums[keyOf(row)] = (sums[keyOf(row)] ?? 0) + row.total;
    return sums;
  };
  const total = counts.reduce((sum, row) => sum + row.total, 0);
  const byTime = sumBy(({ at }) => at.toISOString());
  return {
    summary: {
      total,
      by_kind: sumBy(({ anomaly_type }) => anomaly_type) as Record<string, number>,
      by_severity: { info: 0, warning: 0, critical: 0, ...sumBy(({ severity }) => severity) },
    },
    items: rows.map(({ org_id: _org, last_seen_at: _last, chain_id, at, anomaly_type, ...row }) => ({
      ...row,
      chain_id: Number(chain_id),
      anomaly_type: anomaly_type as "spike",
      at: at.toISOString(),
    })),
    trend: bucketsOf(span, width).map((at) => ({
      at: at.toISOString(),
      count: byTime[at.toISOString()] ?? 0,
    })),
    page,
    page_size,
    total,
  };
}
