import type { Hex } from "../../chains/block.ts";
import { getAddress } from "../../chains/evm/values/address.ts";
import type { ProxyKind } from "./proxy-kind.ts";

/** EIP-7702 accounts, whose code is a delegation designator of 23 bytes. */
export const eip7702: ProxyKind = {
  kind: "eip7702",
  reads: () => [],
  detect(code) {
    const [, address] = /^0xef0100([0-9a-f]{40})$/i.exec(code) ?? [];
    return address ? { implementations: [getAddress(`0x${address}` as Hex)] } : undefined;
  },
};
