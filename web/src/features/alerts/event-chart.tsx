import { useQuery } from "@tanstack/react-query";
import { useOrg } from "@/lib/session.ts";
import { formatWithUnit } from "@/lib/text/units.ts";
import type { AlertEvent, Rule } from "@/queries/alerts.ts";
import { type SeriesQuery, seriesQuery } from "@/queries/contracts.ts";
import { TimeSeries } from "@/ui/chart/time-series.tsx";
import { ErrorText } from "@/ui/error-text.tsx";

const aroundMs = 3_600_000;
const isBelow = (operator: string) => operator === "lt" || operator === "lte" || operator === "change_pct_lt";

/** The value and its threshold, an hour before and after the alert. */
export function EventChart({ event, rule }: { event: AlertEvent; rule: Rule | undefined }) {
  const org = useOrg();
  const { target_id, fired_at, window_seconds } = event;
  const firedAtMs = Date.parse(fired_at);
  const until = Math.min(
    Math.max(firedAtMs, Date.parse(event.resolved_at ?? fired_at)) + aroundMs,
    firedAtMs + 24 * aroundMs,
  );
  const query: SeriesQuery = {
    from: new Date(firedAtMs - aroundMs).toISOString(),
    to: new Date(until).toISOString(),
    aggregation: window_seconds === null ? "each" : (rule?.condition.aggregation ?? undefined),
    ...(window_seconds !== null && { window_seconds }),
  } as SeriesQuery;
  const { data: series, error } = useQuery({
    ...seriesQuery(org, target_id ?? "", query),
    enabled: target_id !== null,
  });
  if (error) return <ErrorText error={error} />;
  if (!target_id)
    return (
      <p className="text-sm text-muted">The target of this alert was deleted, and its values with it.</p>
    );
  if (!series) return <div className="h-52" />;
  const edge = isBelow(event.operator) ? "min" : "max";
  const values = series.points.map((point) => point[edge]);
  const highest = values.length > 0 ? (edge === "min" ? Math.min(...values) : Math.max(...values)) : null;
  const summary = values.length
    ? `The ${edge === "min" ? "lowest" : "highest"} value within an hour of the alert was ${formatWithUnit(highest, event.unit)}${event.threshold === null ? "" : `; the limit is ${formatWithUnit(event.threshold, event.unit)} (dashed line)`}. The vertical line marks the alert.`
    : "No values are stored for this time.";
  return (
    <TimeSeries
      title={`${event.rule_name}: value around the alert`}
      summary={summary}
      times={series.points.map((point) => Date.parse(point.at) / 1000)}
      values={values}
      unit={event.unit}
      height={190}
      span={[(firedAtMs - aroundMs) / 1000, until / 1000]}
      marks={{ threshold: event.threshold ?? undefined, moments: [firedAtMs / 1000] }}
    />
  );
}
