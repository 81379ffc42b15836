import type { Schemas } from "@/lib/api.ts";
import { Card } from "@/ui/card.tsx";

type Stats = Schemas["DashboardStats"];

/** The numbers of the organisation, and how much of its plan is used. */
export function Quota({ stats }: { stats: Stats }) {
  const { contracts, rules, alerts_24h, deliveries_24h, quota } = stats;
  const of = ({ used, limit }: Stats["quota"]["contracts"]) =>
    limit === null ? `${used}, no limit` : `${used} of ${limit}`;
  const rows: [string, string][] = [
    [
      "Contracts",
      `${of(quota.contracts)}; ${contracts.monitoring} monitored, ${contracts.paused} paused, ${contracts.error} with an error`,
    ],
    ["Rules", `${of(quota.rules)}; ${rules.enabled} on, ${rules.firing} firing`],
    [
      "Alerts in 24 hours",
      `${alerts_24h.critical} critical, ${alerts_24h.warning} warning, ${alerts_24h.info} info`,
    ],
    ["Messages in 24 hours", `${deliveries_24h.sent} sent, ${deliveries_24h.failed} failed`],
  ];
  return (
    <Card title="In numbers">
      <dl className="space-y-1.5 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
