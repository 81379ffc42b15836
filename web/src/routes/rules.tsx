import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { RuleCard, ruleColumns } from "@/features/rules/columns.tsx";
import { ruleText } from "@/features/rules/sentence.ts";
import { useShortcuts } from "@/lib/browser/shortcuts.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { severities } from "@/lib/severity.ts";
import { rulesQuery } from "@/queries/alerts.ts";
import { contractsQuery, targetTypesQuery } from "@/queries/contracts.ts";
import { buttonClass } from "@/ui/button.tsx";
import { Empty } from "@/ui/empty.tsx";
import { SelectField, TextField } from "@/ui/form/field.tsx";
import { Page } from "@/ui/page.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";

const route = getRouteApi("/rules");
const any = (label: string) => ({ value: "", label });

export function RulesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const org = useOrg();
  const mayEdit = useCanEdit();
  const { data: rules } = useSuspenseQuery(rulesQuery(org));
  const { data: contracts } = useSuspenseQuery(contractsQuery(org));
  const { data: types } = useSuspenseQuery(targetTypesQuery);
  const rows = useMemo(() => {
    const labels = new Map(contracts.map(({ id, label }) => [id, label]));
    return rules.map((rule) => ({
      ...rule,
      contract: labels.get(rule.contract_id) ?? "",
      when: ruleText(rule, types),
    }));
  }, [rules, contracts, types]);
  const words = (search.q ?? "").toLowerCase();
  const shown = rows.filter(
    ({ name, contract, state, severity, is_enabled }) =>
      (!words || `${name} ${contract}`.toLowerCase().includes(words)) &&
      (!search.severity || severity === search.severity) &&
      (!search.state || (search.state === "off" ? !is_enabled : is_enabled && state === search.state)),
  );
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const select = (name: "state" | "severity") => ({
    isLabelHidden: true,
    value: search[name] ?? "",
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value || undefined }),
  });
  useShortcuts([{ keys: "c", does: "Create a rule", run: () => void navigate({ to: "/rules/new" }) }]);
  const create = (
    <Link to="/rules/new" className={buttonClass("primary")}>
      Create rule
    </Link>
  );
  return (
    <Page
      title="Rules"
      lead="A rule makes an alert when its condition becomes true."
      actions={
        <>
          {rules.length > 0 && (
            <Link to="/rules/noisy" className={buttonClass()}>
              Noisiest rules
            </Link>
          )}
          {mayEdit && create}
        </>
      }
    >
      {rules.length === 0 ? (
        <Empty
          title="No rules yet"
          actions={create}
          call={{
            method: "POST",
            path: "/alerts",
            body: {
              target_id: "…",
              severity: "critical",
              channel_id: "…",
              condition: { operator: "gte", threshold: 10, window_seconds: 300 },
            },
          }}
        >
          A rule watches one value of a contract, such as its transactions or its balance, and notifies
          channels.
        </Empty>
      ) : (
        <>
          <div className="mb-3 flex flex-wrap gap-2">
            <div className="w-full sm:w-64">
              <TextField
                label="Filter rules"
                isLabelHidden
                type="search"
                placeholder="Name or contract"
                value={search.q ?? ""}
                onChange={({ target }) => change({ q: target.value || undefined })}
              />
            </div>
            <SelectField
              label="State"
              {...select("state")}
              options={[
                any("All states"),
                ...["ok", "firing", "pending", "no_data", "error", "off"].map((value) => ({
                  value,
                  label: value.replace("_", " "),
                })),
              ]}
            />
            <SelectField
              label="Severity"
              {...select("severity")}
              options={[any("All severities"), ...severities.map((value) => ({ value, label: value }))]}
            />
          </div>
          <DataTable
            label="Rules"
            rows={shown}
            columns={ruleColumns}
            card={RuleCard}
            cardHeight={84}
            onOpen={({ id }) => void navigate({ to: "/rules/$id", params: { id } })}
            sort={search.sort}
            onSort={(sort) => change({ sort })}
          />
          <p className="mt-2 text-sm text-muted" role="status">
            {shown.length} of {rules.length} shown
          </p>
        </>
      )}
    </Page>
  );
}
