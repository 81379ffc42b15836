import type { Emitted } from "../chains/activity.ts";
import { decodeLog } from "../chains/evm/abi/decode.ts";
import type { CanonicalItem } from "../chains/evm/abi/signature.ts";
import { eventOf } from "./config-filters.ts";

/** Events that a standard declares, by topic 0. Written without `indexed`, they are known in every layout. */
export type StandardEvents = ReadonlyMap<string, CanonicalItem>;

export function standardEvents(declarations: readonly string[]): StandardEvents {
  const items = declarations.flatMap((declaration) => eventOf(declaration) ?? []);
  return new Map(items.map((item) => [item.selector, item]));
}

/** The logs of an address that are among the events, with the names that the standard gives the arguments. */
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
