import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { Deliveries } from "@/features/alerts/deliveries.tsx";
import { EventActions } from "@/features/alerts/event-actions.tsx";
import { EventChart } from "@/features/alerts/event-chart.tsx";
import { EventFacts } from "@/features/alerts/event-header.tsx";
import { EventList } from "@/features/alerts/event-list.tsx";
import { Evidence } from "@/features/alerts/evidence.tsx";
import { DemoStory } from "@/features/demo/demo-story.tsx";
import { useShortcuts } from "@/lib/browser/shortcuts.ts";
import { useOrg } from "@/lib/session.ts";
import { restOfMessage } from "@/lib/text/event-text.ts";
import { eventQuery, recentEventsQuery, ruleEventsQuery, ruleQuery } from "@/queries/alerts.ts";
import { chainsQuery, contractsQuery, explorerLink } from "@/queries/contracts.ts";
import { membersQuery } from "@/queries/overview.ts";
import { Card } from "@/ui/card.tsx";
import { Page } from "@/ui/page.tsx";

const route = getRouteApi("/alerts/events/$id");

/** The page that a message opens: what happened, is it still going on, what to do; then the evidence. */
export function EventPage() {
  const { id } = route.useParams();
  const org = useOrg();
  const { data: event } = useSuspenseQuery(eventQuery(org, id));
  const { data: contracts = [] } = useQuery(contractsQuery(org));
  const { data: chains = [] } = useQuery(chainsQuery(org));
  const { data: rule } = useQuery({
    ...ruleQuery(org, event.rule_id ?? ""),
    enabled: event.rule_id !== null,
  });
  const { data: similar = [] } = useQuery({
    ...ruleEventsQuery(org, event.rule_id ?? ""),
    enabled: event.rule_id !== null,
  });
  const { data: members = [] } = useQuery({ ...membersQuery(org), enabled: event.acknowledged_by !== null });
  useNeighbours(id);
  const contract = contracts.find((contract) => contract.id === event.contract_id);
  const chain = chains.find((chain) => chain.chain === event.chain);
  const names = new Map(contracts.map(({ address, label }) => [address.toLowerCase(), label]));
  const explorerUrl = event.tx_hash ? explorerLink(chain, "tx", event.tx_hash) : null;
  const similarEvents = similar.filter((similarEvent) => similarEvent.id !== id).slice(0, 5);
  return (
    <Page title={event.title} actions={<EventActions event={event} contractLabel={contract?.label} />}>
      <div className="space-y-4">
        <EventFacts
          event={event}
          contractLabel={contract?.label}
          explorerUrl={explorerUrl}
          acknowledgedBy={members.find(({ user_id }) => user_id === event.acknowledged_by)?.name}
        />
        <p className="max-w-prose text-lg wrap-break-word">{restOfMessage(event)}</p>
        <DemoStory event={event} />
        <Card title="Value and limit">
          <EventChart event={event} rule={rule} />
        </Card>
        <Card title="Evidence">
          <Evidence event={event} names={names} />
        </Card>
        <Card title="Messages">
          <Deliveries
            filter={{ event_id: id }}
            none="No message was sent: the rule only records, or a cooldown or silence applied."
          />
        </Card>
        <Card title="Other alerts of this rule">
          <EventList events={similarEvents} none="This is the only alert of the rule so far." />
        </Card>
      </div>
    </Page>
  );
}

/** j and k open the next older and newer alert. */
function useNeighbours(id: string): void {
  const router = useRouter();
  const { data: recent = [] } = useQuery(recentEventsQuery(useOrg()));
  const position = recent.findIndex((recentEvent) => recentEvent.id === id);
  const open = (index: number) => {
    const other = position === -1 ? undefined : recent[index];
    if (other) void router.navigate({ to: "/alerts/events/$id", params: { id: other.id } });
  };
  useShortcuts([
    { keys: "j", does: "Next older alert", run: () => open(position + 1) },
    { keys: "k", does: "Next newer alert", run: () => open(position - 1) },
  ]);
}
