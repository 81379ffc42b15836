import type { Hex } from "../../chains/block.ts";
import { getAddress } from "../../chains/evm/values/address.ts";
import type { ProxyKind } from "./proxy-kind.ts";

/**
 * Minimal proxies, whose bytecode contains the implementation. Addresses with leading zeros are pushed in fewer bytes;
 * newer proxies use PUSH0. Immutable arguments may follow.
 */
export const eip1167: ProxyKind = {
  kind: "eip1167",
  reads: () => [],
  detect(code) {
    const hex = code.slice(2).toLowerCase();
    const target = pushedIn(hex) ?? withPush0.exec(hex)?.[1];
    return target ? { implementations: [getAddress(`0x${target.padStart(40, "0")}` as Hex)] } : undefined;
  },
};

const prefix = "363d3d373d3d3d363d";
const withPush0 = /^5f5f365f5f37365f73([0-9a-f]{40})5af43d5f5f3e5f3d91602a57fd5bf3/;

/** Returns the address pushed by PUSH1 to PUSH20, if the rest of the bytecode matches. */
function pushedIn(hex: string): string | undefined {
  if (!hex.startsWith(prefix)) return undefined;
  const bytes = Number.parseInt(hex.slice(prefix.length, prefix.length + 2), 16) - 0x5f;
  if (!(bytes >= 1 && bytes <= 20)) return undefined;
  const start = prefix.length + 2;
  const rest = hex.slice(start + 2 * bytes);
  return /^5af43d82803e903d9160[0-9a-f]{2}57fd5bf3/.test(rest)
    ? hex.slice(start, start + 2 * bytes)
    : undefined;
}
