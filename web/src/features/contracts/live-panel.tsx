import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useOrg } from "@/lib/session.ts";
import { formatDuration, formatWithUnit } from "@/lib/text/units.ts";
import { type LiveMetric, liveQuery, type Target, targetsQuery } from "@/queries/contracts.ts";
import { Card } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { ProximityBar, Sparkline } from "@/ui/sparkline.tsx";
import { Time } from "@/ui/time.tsx";

/** The current value of each target, nearest to its limit first. */
export function LivePanel({ contract_id }: { contract_id: string }) {
  const org = useOrg();
  const { data: metrics, error } = useQuery(liveQuery(org, contract_id));
  const { data: targets = [] } = useQuery(targetsQuery(org, contract_id));
  if (error) return <ErrorText error={error} />;
  if (!metrics) return <Skeleton />;
  if (metrics.length === 0)
    return <p className="text-muted">Nothing is measured yet. Add a target under Targets.</p>;
  const sorted = metrics.toSorted((a, b) => (b.proximity ?? -1) - (a.proximity ?? -1));
  return (
    <Card isFlush>
      <ul className="divide-y divide-line">
        {sorted.map((metric) => (
          <Metric
            key={metric.target_id}
            metric={metric}
            target={targets.find(({ id }) => id === metric.target_id)}
          />
        ))}
      </ul>
    </Card>
  );
}

/** A value that reaches its limit later than in a year does not approach it. */
const maxShownSeconds = 365 * 86_400;

function Metric({ metric, target }: { metric: LiveMetric; target: Target | undefined }) {
  const { name, target_type, value, unit, at, threshold, proximity, eta_seconds, rule_id, sparkline } =
    metric;
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(140px,1fr)_minmax(120px,auto)_120px_minmax(200px,1fr)]">
      <div className="min-w-0">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-xs text-muted">{target_type}</p>
      </div>
      <p className="text-right text-lg font-medium">
        {value === null ? <span className="text-muted">no data</span> : formatWithUnit(value, unit)}
      </p>
      <Sparkline values={sparkline} threshold={threshold} />
      <div className="min-w-0 text-right text-xs text-muted sm:text-left">
        {proximity !== null && <ProximityBar proximity={proximity} />}
        <p>
          {threshold !== null && `limit ${formatWithUnit(threshold, unit)}`}
          {eta_seconds !== null &&
            eta_seconds < maxShownSeconds &&
            `, reached in about ${formatDuration(eta_seconds)}`}
          {threshold === null && !rule_id && "no rule"}
          {at && (
            <>
              {" · "}
              <Time at={at} />
            </>
          )}
        </p>
        {target?.status_reason && <p className="wrap-break-word text-warning">{target.status_reason}</p>}
        {rule_id && (
          <Link to="/rules/$id" params={{ id: rule_id }} className="text-accent underline">
            rule
          </Link>
        )}
      </div>
    </li>
  );
}
