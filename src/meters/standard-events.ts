import type { Emitted } from "../chains/activity.ts";
import type { Hex } from "../chains/block.ts";
import { decodeLog } from "../chains/evm/abi/decode.ts";
import type { CanonicalItem } from "../chains/evm/abi/signature.ts";
import { onFirstUse } from "../lib/caching/on-first-use.ts";
import { eventOf } from "./config-filters.ts";

/** Declared events by topic 0. Declarations without `indexed` match every layout of topics and data. */
export type StandardEvents = {
  get(topic0: string): CanonicalItem | undefined;
  /** The first topics of all events. */
  topics(): Hex[];
  all(): CanonicalItem[];
};

export function standardEvents(declarations: readonly string[]): StandardEvents {
  const byTopic = onFirstUse(() => {
    const items = declarations.flatMap((declaration) => eventOf(declaration) ?? []);
    return new Map(items.map((item) => [item.selector as string, item]));
  });
  return {
    get: (topic0) => byTopic().get(topic0),
    topics: () => [...byTopic().keys()] as Hex[],
    all: () => [...byTopic().values()],
  };
}

/** Returns the logs of an address that match one of the events, decoded with the argument names of the declaration. */
export function selectEvents(
  events: readonly Emitted[],
  address: string,
  standard: StandardEvents,
): Emitted[] {
  return events.flatMap((event) => {
    const item = event.address === address ? standard.get(event.topics[0] ?? "") : undefined;
    return item ? [{ ...event, decoded: decodeLog(item.abi, event) ?? event.decoded }] : [];
  });
}
