import type { ProxyKind } from "./proxy-kind.ts";
import { slotReads, slotsOf } from "./slots.ts";

/** Proxies that ask a beacon which code to run. */
export const beacon: ProxyKind = {
  kind: "beacon",
  reads: (address) => slotReads("erc1967", address),
  detect(_code, results) {
    const slots = slotsOf("erc1967", results);
    return slots.beacon ? { implementations: [], beacon: slots.beacon, admin: slots.admin } : undefined;
  },
};
