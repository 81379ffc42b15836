import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { EventCard, eventColumns } from "@/features/alerts/columns.tsx";
import { AlertFilters, type AlertsSearch } from "@/features/alerts/filters.tsx";
import { Histogram } from "@/features/alerts/histogram.tsx";
import { useNewAlerts } from "@/lib/live/new-alerts.ts";
import { type Range, startOf } from "@/lib/range.ts";
import { useOrg } from "@/lib/session.ts";
import { type HistoryFilter, historyQuery } from "@/queries/alerts.ts";
import { chainsQuery, contractsQuery } from "@/queries/contracts.ts";
import { Button, buttonClass } from "@/ui/button.tsx";
import { Empty } from "@/ui/empty.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { Page } from "@/ui/page.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";

const route = getRouteApi("/alerts");

const clockDifferenceMs = 60_000;

/** New alerts can move others to the next page, where they appear again. */
function uniqueById<Item extends { id: string }>(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

export function AlertsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const org = useOrg();
  const [loadedAt, setLoadedAt] = useState(Date.now);
  // Alerts are dated by their block, and the clock of a chain can be ahead of ours.
  const to = search.to ?? new Date(loadedAt + clockDifferenceMs).toISOString();
  const filter: HistoryFilter = {
    to,
    from: search.from ?? startOf((search.range ?? "7d") as Range, to),
    severity: search.severity,
    status: search.status,
    contract_id: search.contract,
    chain_id: search.chain ? Number(search.chain) : undefined,
  };
  const {
    data: history,
    error,
    isPending,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  } = useInfiniteQuery({
    ...historyQuery(org, filter),
    placeholderData: (old) => old,
  });
  const { data: contracts = [] } = useQuery(contractsQuery(org));
  const { data: chains = [] } = useQuery(chainsQuery(org));
  const events = uniqueById(history?.pages.flatMap(({ items }) => items) ?? []);
  const ids = new Set(events.map(({ id }) => id));
  const fresh = useNewAlerts().filter(
    ({ id, detected_at }) => !ids.has(id) && Date.parse(detected_at) > loadedAt,
  );
  const change = (next: AlertsSearch) =>
    void navigate({ search: (old) => ({ ...old, ...next }) as typeof old, replace: true });
  const first = history?.pages[0];
  const isFiltered = Object.values(search).some(Boolean);
  return (
    <Page title="Alerts" lead="What your rules found, newest first.">
      <AlertFilters search={search} onChange={change} contracts={contracts} chains={chains} />
      {error && <ErrorText error={error} className="mb-3" />}
      {first && first.total > 0 && (
        <Histogram
          buckets={first.buckets}
          total={first.total}
          onSelect={(from, until) => change({ from, to: until })}
        />
      )}
      {fresh.length > 0 && !search.to && (
        <div className="mb-2 text-center" role="status">
          <Button look="primary" onClick={() => setLoadedAt(Date.now())}>
            {fresh.length} new {fresh.length === 1 ? "alert" : "alerts"}, show
          </Button>
        </div>
      )}
      {isPending && <Skeleton />}
      {first && events.length === 0 && !hasNextPage && (
        <Empty
          title={isFiltered ? "No alert matches these filters" : "No alerts in the last seven days"}
          actions={
            <Link to="/rules" className={buttonClass()}>
              See the rules
            </Link>
          }
          call={{ method: "GET", path: "/alerts/history?severity=critical&limit=50" }}
        >
          An alert appears here when a rule's condition becomes true.
        </Empty>
      )}
      {events.length > 0 && (
        <DataTable
          label="Alerts"
          rows={events}
          columns={eventColumns}
          card={EventCard}
          cardHeight={84}
          onOpen={({ id }) => void navigate({ to: "/alerts/events/$id", params: { id } })}
          onEnd={() => hasNextPage && !isFetchingNextPage && void fetchNextPage()}
        />
      )}
      {first && (
        <p className="mt-2 flex items-center gap-3 text-sm text-muted">
          {events.length} of {first.total} shown
          {hasNextPage && (
            <Button isSmall isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Load more
            </Button>
          )}
        </p>
      )}
    </Page>
  );
}
