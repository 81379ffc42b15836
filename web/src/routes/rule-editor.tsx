import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { EventList } from "@/features/alerts/event-list.tsx";
import { FireDrill } from "@/features/rules/fire-drill.tsx";
import { emptyForm, toForm } from "@/features/rules/form-values.ts";
import { RuleEditor } from "@/features/rules/rule-editor.tsx";
import { RuleState } from "@/features/rules/rule-state.tsx";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { ruleEventsQuery, ruleQuery } from "@/queries/alerts.ts";
import { channelsQuery } from "@/queries/channels.ts";
import { contractsQuery, targetTypesQuery } from "@/queries/contracts.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { Confirm } from "@/ui/confirm.tsx";
import { Page } from "@/ui/page.tsx";

const newRoute = getRouteApi("/rules/new");
const route = getRouteApi("/rules/$id");

function useEditorData() {
  const org = useOrg();
  const { data: contracts } = useSuspenseQuery(contractsQuery(org));
  const { data: channels } = useSuspenseQuery(channelsQuery(org));
  const { data: types } = useSuspenseQuery(targetTypesQuery);
  return { contracts, channels, types };
}

export function NewRulePage() {
  const { contract, target } = newRoute.useSearch();
  const editorData = useEditorData();
  const initialContract =
    contract ?? (editorData.contracts.length === 1 ? editorData.contracts[0]?.id : undefined) ?? "";
  const [initial] = useState(() => ({
    ...emptyForm,
    target_id: target ?? "",
    channel_ids: editorData.channels.slice(0, 1).map(({ id }) => id),
  }));
  return (
    <Page title="Create a rule">
      <RuleEditor {...editorData} initial={initial} initialContract={initialContract} />
    </Page>
  );
}

export function RulePage() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  const org = useOrg();
  const client = useQueryClient();
  const mayEdit = useCanEdit();
  const editorData = useEditorData();
  const { data: rule } = useSuspenseQuery(ruleQuery(org, id));
  const { data: events = [] } = useQuery(ruleEventsQuery(org, id));
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Page
      title={rule.name}
      lead={<RuleState {...rule} />}
      actions={
        mayEdit && (
          <>
            <FireDrill rule={rule} channels={editorData.channels} />
            <Button look="danger" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </>
        )
      }
    >
      <RuleEditor
        key={rule.id}
        {...editorData}
        rule_id={id}
        initial={toForm(rule)}
        initialContract={rule.contract_id}
      />
      <div className="mt-4">
        <Card title="Alerts of this rule">
          <EventList events={events} none="It has not fired yet." />
        </Card>
      </div>
      <Confirm
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${rule.name}?`}
        action="Delete rule"
        onConfirm={async () => {
          await api.DELETE("/api/v1/alerts/{rule_id}", { params: { path: { rule_id: id } } });
          void navigate({ to: "/rules" });
          await client.invalidateQueries({ queryKey: keys(org).rules, refetchType: "none" });
        }}
      >
        Its open alerts end. Past alerts stay in the history.
      </Confirm>
    </Page>
  );
}
