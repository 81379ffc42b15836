import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useAcknowledge } from "@/features/alerts/use-acknowledge.ts";
import { ShowMe } from "@/features/demo/show-me.tsx";
import { Changes } from "@/features/overview/changes.tsx";
import { Checklist } from "@/features/overview/checklist.tsx";
import { Closest } from "@/features/overview/closest.tsx";
import { Firing } from "@/features/overview/firing.tsx";
import { Health } from "@/features/overview/health.tsx";
import { Quota } from "@/features/overview/quota.tsx";
import { useOrg, useSession } from "@/lib/session.ts";
import { recentEventsQuery } from "@/queries/alerts.ts";
import { channelsQuery } from "@/queries/channels.ts";
import { chainsQuery, contractsQuery } from "@/queries/contracts.ts";
import { auditQuery, statsQuery } from "@/queries/overview.ts";
import { Page } from "@/ui/page.tsx";

export function OverviewPage() {
  const org = useOrg();
  const isAdmin = useSession().org.role === "admin";
  const { data: stats } = useSuspenseQuery(statsQuery(org));
  const { data: events } = useQuery(recentEventsQuery(org));
  const { data: contracts } = useQuery(contractsQuery(org));
  const { data: chains } = useQuery(chainsQuery(org));
  const { data: channels } = useQuery(channelsQuery(org));
  const { data: audit = [] } = useQuery({ ...auditQuery(org), enabled: isAdmin });
  const acknowledge = useAcknowledge();
  const isLoaded = events && contracts && channels;
  const steps = isLoaded && {
    hasContract: contracts.length > 0,
    hasChannel: channels.length > 0,
    hasTestedChannel: channels.some(({ last_success_at }) => last_success_at !== null),
    hasRule: stats.rules.total > 0,
    hasEvent: events.length > 0,
  };
  const isNew = steps && Object.values(steps).some((isDone) => !isDone);
  return (
    <Page title="Overview">
      <div className="space-y-4">
        <ShowMe />
        {isNew && <Checklist {...steps} />}
        {events && (
          <Firing
            events={events}
            onAcknowledge={(id) => acknowledge.mutate(id)}
            busy={acknowledge.isPending ? acknowledge.variables : undefined}
          />
        )}
        <Health chains={chains} channels={channels ?? []} failed={stats.deliveries_24h.failed} />
        <div className="grid gap-4 lg:grid-cols-2">
          <Closest contracts={contracts ?? []} />
          <Changes entries={audit} />
        </div>
        <Quota stats={stats} />
      </div>
    </Page>
  );
}
