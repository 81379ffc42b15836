import type { ProxyKind } from "./proxy-kind.ts";
import { slotReads, slotsOf } from "./slots.ts";

/** OpenZeppelin's proxies from before the standard, such as USDC's. */
export const legacy: ProxyKind = {
  kind: "openzeppelin_legacy",
  reads: (address) => slotReads("legacy", address),
  detect(_code, results) {
    const { implementation, admin } = slotsOf("legacy", results);
    return implementation ? { implementations: [implementation], admin } : undefined;
  },
};
