import { implementationFunction } from "../../chains/evm/code/proxy-slots.ts";
import { readCall } from "../../meters/state-results.ts";
import { addressIn, integerIn } from "../classify/call-results.ts";
import type { ProxyKind } from "./proxy-kind.ts";

const proxyType = "proxyType() view returns (uint256)";

/** EIP-897 proxies. A beacon also has implementation(), but not proxyType(). */
export const eip897: ProxyKind = {
  kind: "eip897",
  reads: (address) => [readCall(address, implementationFunction), readCall(address, proxyType)],
  detect(_code, [named, type]) {
    const implementation = addressIn(named, implementationFunction);
    const isTyped = [1n, 2n].includes(integerIn(type, proxyType) ?? 0n);
    return implementation && isTyped ? { implementations: [implementation] } : undefined;
  },
};
