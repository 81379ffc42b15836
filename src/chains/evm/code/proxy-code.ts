import { onFirstUse } from "../../../lib/caching/on-first-use.ts";
import type { Hex, Read, ReadResult } from "../../block.ts";
import type { ContractCode } from "../../family.ts";
import { canonicalFunction } from "../abi/signature.ts";
import { getAddress, zeroAddress } from "../values/address.ts";
import { implementationFunction, proxySlots } from "./proxy-slots.ts";

const slots = proxySlots.filter(({ part }) => part !== "admin");

/** The reads that show which code a contract runs. */
export function slotReads(address: string): Read[] {
  return slots.map(({ slot }) => ({ kind: "storage", address, slot }));
}

/** The code that the results of `slotReads` name; undefined when a slot could not be read. */
export function codeInSlots(results: readonly ReadResult[]): ContractCode | undefined {
  const addresses = slots.map(({ part }, index) => ({ part, address: addressInSlot(results[index]) }));
  if (addresses.some(({ address }) => address === undefined)) return undefined;
  const firstOf = (wanted: "implementation" | "beacon") =>
    addresses.find(({ part, address }) => part === wanted && address !== zeroAddress)?.address ?? null;
  return { implementation: firstOf("implementation"), beacon: firstOf("beacon") };
}

/** The call that asks a beacon for the implementation. */
export function beaconRead(beacon: string): Read {
  return { kind: "call", to: beacon, data: implementationSelector() };
}

/** The implementation that a beacon returned; undefined when it did not return one. */
export function implementationOfBeacon(result: ReadResult | undefined): string | undefined {
  if (!result?.ok || result.data.length < 66) return undefined;
  const address = getAddress(`0x${result.data.slice(26, 66)}`);
  return address === zeroAddress ? undefined : address;
}

/** The last 20 bytes of a slot. Some nodes leave out leading zeros, or all digits of a zero. */
function addressInSlot(result: ReadResult | undefined): string | undefined {
  if (!result?.ok || !/^0x[0-9a-f]{0,64}$/i.test(result.data)) return undefined;
  return getAddress(`0x${result.data.slice(2).padStart(64, "0").slice(24)}`);
}

const implementationSelector = onFirstUse(() => selectorOf(implementationFunction));

function selectorOf(declaration: string): Hex {
  const read = canonicalFunction(declaration);
  if (!read.ok) throw new Error(read.problem);
  return read.selector;
}
