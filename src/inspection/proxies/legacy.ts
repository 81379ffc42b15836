import type { ProxyKind } from "./proxy-kind.ts";
import { slotReads, slotsOf } from "./slots.ts";

/** OpenZeppelin proxies from before EIP-1967, such as that of USDC. */
export const legacy: ProxyKind = {
  kind: "openzeppelin_legacy",
  reads: (address) => slotReads("legacy", address),
  detect(_code, results) {
    const { implementation, admin } = slotsOf("legacy", results);
    return implementation ? { implementations: [implementation], admin } : undefined;
  },
};
