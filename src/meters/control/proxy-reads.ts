import type { Read } from "../../chains/block.ts";
import {
  childImplementationFunction,
  implementationFunction,
  proxySlots,
} from "../../chains/evm/code/proxy-slots.ts";
import { pad } from "../../chains/evm/values/hex.ts";
import { readCall } from "../state-results.ts";

export const masterCopyFunction = "masterCopy() view returns (address)";
export const facetsFunction = "facetAddresses() view returns (address[])";

/** A beacon has one of these functions. */
export const beaconFunctions = [implementationFunction, childImplementationFunction];

/** The kinds of proxies that can change. Minimal clones (EIP-1167) cannot. */
export const proxyKindNames = [
  "eip1967",
  "beacon",
  "eip1822",
  "legacy",
  "safe",
  "diamond",
  "eip897",
  "eip7702",
] as const;
export type ProxyKindName = (typeof proxyKindNames)[number];

/** The singleton of a Safe, EIP-897 proxies and the delegation of a wallet may change without an event. */
const silentKinds: readonly ProxyKindName[] = ["safe", "eip897", "eip7702"];

/** True if proxies of a kind emit an event when they change. */
export function isReportedByEvents(kind: ProxyKindName): boolean {
  return !silentKinds.includes(kind);
}

/** What is read of a proxy. A part that its kind does not need is left out; without a kind, all parts are read. */
export type ProxyPart =
  | "slots"
  | "beacon"
  | "singleton"
  | "master_copy"
  | "facets"
  | "implementation"
  | "delegation";

const partsOfKind: Record<ProxyKindName, readonly ProxyPart[]> = {
  eip1967: ["slots"],
  beacon: ["slots", "beacon"],
  eip1822: ["slots"],
  legacy: ["slots"],
  safe: ["master_copy"],
  diamond: ["facets"],
  eip897: ["implementation"],
  eip7702: ["delegation"],
};

/** Returns the reads of each part, in a fixed order. */
export function proxyReads(
  kind: ProxyKindName | undefined,
  address: string,
  beacon: string | undefined,
): { part: ProxyPart; reads: Read[] }[] {
  const readsOfParts: { part: ProxyPart; reads: Read[] }[] = [
    { part: "slots", reads: proxySlots.map(({ slot }) => ({ kind: "storage", address, slot })) },
    { part: "beacon", reads: beacon ? beaconFunctions.map((name) => readCall(beacon, name)) : [] },
    {
      part: "singleton",
      reads: [{ kind: "storage", address, slot: pad("0x0") }, readCall(address, masterCopyFunction)],
    },
    { part: "facets", reads: [readCall(address, facetsFunction)] },
    { part: "implementation", reads: [readCall(address, implementationFunction)] },
  ];
  // Calls of many contracts are sent together; reads of storage are not.
  if (kind === "eip7702") return [{ part: "delegation", reads: [{ kind: "code", address }] }];
  if (kind === "safe") return [{ part: "master_copy", reads: [readCall(address, masterCopyFunction)] }];
  const wanted = kind && partsOfKind[kind];
  return readsOfParts.filter(({ part, reads }) => reads.length > 0 && (wanted?.includes(part) ?? true));
}
