import type { ProxyKind } from "./proxy-kind.ts";
import { slotReads, slotsOf } from "./slots.ts";

/** EIP-1822 proxies, the predecessor of UUPS proxies. */
export const eip1822: ProxyKind = {
  kind: "eip1822",
  reads: (address) => slotReads("erc1822", address),
  detect(_code, results) {
    const { implementation } = slotsOf("erc1822", results);
    return implementation ? { implementations: [implementation] } : undefined;
  },
};
