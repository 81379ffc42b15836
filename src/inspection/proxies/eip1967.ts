import type { ProxyKind } from "./proxy-kind.ts";
import { slotReads, slotsOf } from "./slots.ts";

/** EIP-1967 proxies: transparent and UUPS proxies. */
export const eip1967: ProxyKind = {
  kind: "eip1967",
  reads: (address) => slotReads("erc1967", address),
  detect(_code, results) {
    const { implementation, admin } = slotsOf("erc1967", results);
    return implementation ? { implementations: [implementation], admin } : undefined;
  },
};
