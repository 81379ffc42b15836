import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { RuleState } from "@/features/rules/rule-state.tsx";
import { RuleSwitch } from "@/features/rules/rule-switch.tsx";
import { ruleText } from "@/features/rules/sentence.ts";
import type { Rule } from "@/queries/alerts.ts";
import { targetTypesQuery } from "@/queries/contracts.ts";
import { SeverityBadge } from "@/ui/severity.tsx";

/** A short list of rules inside another page. */
export function RuleList({ rules, none }: { rules: Rule[]; none: string }) {
  const { data: types = [] } = useQuery(targetTypesQuery);
  if (rules.length === 0) return <p className="text-sm text-muted">{none}</p>;
  return (
    <ul className="divide-y divide-line">
      {rules.map((rule) => (
        <li key={rule.id} className="flex items-center gap-3 py-2 first:pt-0 last:pb-0">
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-2">
              <Link to="/rules/$id" params={{ id: rule.id }} className="font-medium hover:underline">
                {rule.name}
              </Link>
              <SeverityBadge severity={rule.severity} />
              <RuleState {...rule} />
            </p>
            <p className="text-sm text-muted">{ruleText(rule, types)}</p>
          </div>
          <RuleSwitch rule={rule} />
        </li>
      ))}
    </ul>
  );
}
