import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { NoisyRuleItem } from "@/features/rules/noisy-rule.tsx";
import { type Range, rangeLabels, ranges } from "@/lib/range.ts";
import { useOrg } from "@/lib/session.ts";
import { noisyRulesQuery } from "@/queries/alerts.ts";
import { buttonClass } from "@/ui/button.tsx";
import { Empty } from "@/ui/empty.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { SelectField } from "@/ui/form/field.tsx";
import { Page } from "@/ui/page.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";

const route = getRouteApi("/rules/noisy");

/** The rules with the most alerts, with one click to make each quieter. */
export function NoisyRulesPage() {
  const { range = "7d" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: rules, error } = useQuery(noisyRulesQuery(useOrg(), range));
  return (
    <Page
      title="Noisiest rules"
      lead="The rules that made the most alerts. A rule that nobody reacts to hides those that matter."
      actions={
        <Link to="/rules" className={buttonClass()}>
          All rules
        </Link>
      }
    >
      <div className="mb-3 w-44">
        <SelectField
          label="Time range"
          isLabelHidden
          value={range}
          onChange={({ target }) =>
            void navigate({ search: { range: target.value as Range }, replace: true })
          }
          options={(Object.keys(ranges) as Range[]).map((key) => ({ value: key, label: rangeLabels[key] }))}
        />
      </div>
      {error && <ErrorText error={error} />}
      {!rules && !error && <Skeleton />}
      {rules?.length === 0 && (
        <Empty title="No rule fired in this time" call={{ method: "GET", path: "/analytics/noisy-rules" }}>
          Rules appear here once they have made alerts.
        </Empty>
      )}
      {rules && rules.length > 0 && (
        <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
          {rules.map((rule) => (
            <NoisyRuleItem key={rule.rule_id} rule={rule} />
          ))}
        </ol>
      )}
    </Page>
  );
}
