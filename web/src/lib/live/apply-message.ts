import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import type { Message } from "@/lib/live/stream.ts";

type Event = Schemas["AlertEvent"];

const debounceMs = 150;

/**
 * Returns a function that applies live messages to the cache. What a message contains is written at once; the rest is
 * fetched again, once per key for many messages. A hidden tab only marks its data as stale.
 */
export function makeApplier(client: QueryClient, org: string): (message: Message) => void {
  const k = keys(org);
  const touched = new Map<string, readonly string[]>();
  let timer = 0;
  const refetch = (...wanted: readonly (readonly string[])[]) => {
    for (const key of wanted) touched.set(key.join("/"), key);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const refetchType = document.hidden ? "none" : "active";
      for (const queryKey of touched.values()) void client.invalidateQueries({ queryKey, refetchType });
      touched.clear();
    }, debounceMs);
  };
  return ({ name, data }) => {
    switch (name) {
      case "reset":
        return refetch(k.all);
      case "alert.fired":
      case "alert.updated":
        writeEvent(client, org, data as Event);
        return refetch([...k.events, "open"], k.rules, k.stats, k.deliveries);
      case "contract.updated":
        return refetch(k.contracts);
      case "metric":
        return refetch(k.contractPart((data as { contract_id: string }).contract_id, "live"));
      case "chain.status":
        return refetch(k.chains);
      case "inbox.received":
        return refetch(k.inbox);
      case "delivery.failed":
        return refetch(k.deliveries, k.channels, k.stats);
      case "stats":
        return void client.setQueryData(k.stats, data);
    }
  };
}

/** Replaces an event wherever it is shown. New events do not enter lists by themselves: a list must not jump. */
export function writeEvent(client: QueryClient, org: string, event: Event): void {
  const k = keys(org);
  client.setQueryData(k.event(event.id), event);
  const replace = (items: Event[]) => items.map((item) => (item.id === event.id ? event : item));
  client.setQueriesData<InfiniteData<Schemas["Activity"]>>(
    { queryKey: [...k.events, "list"] },
    (old) => old && { ...old, pages: old.pages.map((page) => ({ ...page, items: replace(page.items) })) },
  );
  client.setQueriesData<Event[]>({ queryKey: [...k.events, "some"] }, (old) => old && replace(old));
}
