import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { PolicyItem } from "@/features/policies/policy-item.tsx";
import { useShortcuts } from "@/lib/browser/shortcuts.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { targetTypesQuery } from "@/queries/contracts.ts";
import { policiesQuery } from "@/queries/policies.ts";
import { buttonClass } from "@/ui/button.tsx";
import { Empty } from "@/ui/empty.tsx";
import { Page } from "@/ui/page.tsx";

const route = getRouteApi("/policies");

export function PoliciesPage() {
  const navigate = route.useNavigate();
  const mayEdit = useCanEdit();
  const { data: policies } = useSuspenseQuery(policiesQuery(useOrg()));
  const { data: types } = useSuspenseQuery(targetTypesQuery);
  const titleOf = (type: string) => types.find(({ target_type }) => target_type === type)?.title ?? type;
  useShortcuts([{ keys: "c", does: "Create a policy", run: () => void navigate({ to: "/policies/new" }) }]);
  const create = mayEdit && (
    <Link to="/policies/new" className={buttonClass("primary")}>
      Create policy
    </Link>
  );
  return (
    <Page
      title="Policies"
      lead="A policy keeps one rule on every contract that it selects, also on those that are added later."
      actions={policies.length > 0 && create}
    >
      {policies.length === 0 ? (
        <Empty
          title="No policies yet"
          actions={create}
          call={{
            method: "POST",
            path: "/policies",
            body: {
              name: "Ownership of treasuries",
              selector: { labels: ["treasury"] },
              target: { target_type: "ownership_change" },
              rule: { severity: "critical", condition: { operator: "gte", threshold: 1 }, record_only: true },
            },
          }}
        >
          Write a rule once, for all contracts with a label, on a chain or of a type, instead of once for
          each.
        </Empty>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {policies.map((policy) => (
            <PolicyItem key={policy.id} policy={policy} measures={titleOf(policy.target.target_type)} />
          ))}
        </ul>
      )}
    </Page>
  );
}
