import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useOrg } from "@/lib/session.ts";
import { formatWithUnit } from "@/lib/text/units.ts";
import { type Contract, liveQuery } from "@/queries/contracts.ts";
import { Card } from "@/ui/card.tsx";
import { ProximityBar } from "@/ui/sparkline.tsx";

/** Live values are read per contract, so only those with rules and recent activity are looked at. */
const maxContracts = 10;

/** The values that are nearest to their limit. */
export function Closest({ contracts }: { contracts: Contract[] }) {
  const org = useOrg();
  const looked = contracts
    .filter(({ rules_count, status }) => rules_count > 0 && status === "MONITORING")
    .sort((a, b) => (b.last_activity_at ?? "").localeCompare(a.last_activity_at ?? ""))
    .slice(0, maxContracts);
  const results = useQueries({ queries: looked.map(({ id }) => liveQuery(org, id)) });
  const near = results
    .flatMap(({ data = [] }, index) => data.map((metric) => ({ ...metric, contract: looked[index] })))
    .filter(({ proximity }) => proximity !== null)
    .sort((a, b) => (b.proximity ?? 0) - (a.proximity ?? 0))
    .slice(0, 6);
  return (
    <Card title="Closest to their limit">
      {near.length === 0 && <p className="text-sm text-muted">No value with a limit yet.</p>}
      <ul className="space-y-2 text-sm">
        {near.map(({ target_id, name, contract, value, unit, proximity }) => (
          <li key={target_id} className="flex flex-wrap items-center justify-between gap-x-3">
            <span className="min-w-0">
              {contract && (
                <Link
                  to="/contracts/$id"
                  params={{ id: contract.id }}
                  className="font-medium hover:underline"
                >
                  {contract.label}
                </Link>
              )}{" "}
              {name}: {formatWithUnit(value, unit)}
            </span>
            <ProximityBar proximity={proximity ?? 0} />
          </li>
        ))}
      </ul>
      {contracts.filter(({ rules_count }) => rules_count > 0).length > maxContracts && (
        <p className="mt-2 text-xs text-muted">Of the {maxContracts} most recently active contracts.</p>
      )}
    </Card>
  );
}
