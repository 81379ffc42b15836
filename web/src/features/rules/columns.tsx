import { Link } from "@tanstack/react-router";
import { RuleState } from "@/features/rules/rule-state.tsx";
import { RuleSwitch } from "@/features/rules/rule-switch.tsx";
import type { Rule } from "@/queries/alerts.ts";
import { SeverityBadge } from "@/ui/severity.tsx";
import type { Column } from "@/ui/table/table-model.ts";
import { Time } from "@/ui/time.tsx";

/** A rule with the name of its contract and its condition in words. */
export type RuleRow = Rule & { contract: string; when: string };

const ranks = { info: 0, warning: 1, critical: 2 };

export const ruleColumns: Column<RuleRow>[] = [
  {
    id: "name",
    title: "Rule",
    width: "minmax(140px, 1fr)",
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => (
      <Link to="/rules/$id" params={{ id }} preload={false} className="font-medium hover:underline">
        {name}
      </Link>
    ),
  },
  {
    id: "contract",
    title: "Contract",
    width: "minmax(90px, 0.6fr)",
    sortBy: ({ contract }) => contract,
    cell: ({ contract }) => contract,
  },
  {
    id: "condition",
    title: "When",
    width: "minmax(150px, 2.2fr)",
    cell: ({ when }) => (
      <span className="text-muted" title={when}>
        {when}
      </span>
    ),
  },
  {
    id: "severity",
    title: "Severity",
    width: "86px",
    sortBy: ({ severity }) => ranks[severity],
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  },
  {
    id: "state",
    title: "State",
    width: "110px",
    sortBy: ({ state }) => state,
    cell: (rule) => <RuleState {...rule} />,
  },
  {
    id: "fired",
    title: "Last fired",
    width: "80px",
    isRight: true,
    sortBy: ({ last_fired_at }) => (last_fired_at ? Date.parse(last_fired_at) : 0),
    cell: ({ last_fired_at }) =>
      last_fired_at ? <Time at={last_fired_at} /> : <span className="text-muted">never</span>,
  },
  { id: "on", title: "On", width: "48px", cell: (rule) => <RuleSwitch rule={rule} /> },
];

/** A rule on a narrow screen. */
export function RuleCard(rule: RuleRow) {
  return (
    <>
      <p className="mb-1 flex items-center gap-2">
        <Link to="/rules/$id" params={{ id: rule.id }} className="truncate font-medium">
          {rule.name}
        </Link>
        <span className="ml-auto flex shrink-0 gap-1">
          <SeverityBadge severity={rule.severity} />
          <RuleState {...rule} />
        </span>
      </p>
      <p className="line-clamp-2 text-sm text-muted">
        {rule.contract}. {rule.when}
      </p>
    </>
  );
}
