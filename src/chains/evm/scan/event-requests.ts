import type { WatchedEvents } from "../../reading-plan.ts";

/** The part of a log filter that names addresses and events. */
export type EventRequest = { address: string[]; topics: string[][] };

/** Nodes limit the alternatives of a filter; with more topics than this, all events of the addresses are requested. */
const maxTopics = 500;

/** Splits watched events into the fewest requests: by the number of addresses that one request may name. */
export function eventRequests(events: WatchedEvents, maxAddresses: number): EventRequest[] {
  const whole = [...events].filter(([, topics]) => topics === "all").map(([address]) => address);
  const some = [...events].filter(([, topics]) => topics !== "all");
  const requests: EventRequest[] = inParts(whole, maxAddresses).map((address) => ({ address, topics: [] }));
  for (const part of inParts(some, maxAddresses)) {
    const topics = new Set(part.flatMap(([, topicsOfContract]) => [...topicsOfContract]));
    const address = part.map(([request]) => request);
    requests.push({ address, topics: topics.size > maxTopics ? [] : [[...topics]] });
  }
  return requests;
}

function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let index = 0; index < items.length; index += size) parts.push(items.slice(index, index + size));
  return parts;
}
