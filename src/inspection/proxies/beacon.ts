import type { ProxyKind } from "./proxy-kind.ts";
import { slotReads, slotsOf } from "./slots.ts";

/** Beacon proxies, which read their implementation from a beacon. */
export const beacon: ProxyKind = {
  kind: "beacon",
  reads: (address) => slotReads("erc1967", address),
  detect(_code, results) {
    const slots = slotsOf("erc1967", results);
    return slots.beacon ? { implementations: [], beacon: slots.beacon, admin: slots.admin } : undefined;
  },
};
