import { zeroAddress } from "viem";
import type { Read, ReadResult } from "../../chains/block.ts";
import { addressInWord, readCall, resultOf, Unreadable, wordOf } from "../state-results.ts";
import { implementationFunction, proxySlots } from "./proxy-slots.ts";

/** What the slots of a contract say is behind it; nulls where it is no proxy. */
export type CodeSeen = { implementation: string | null; beacon: string | null };

const slots = proxySlots.filter(({ part }) => part !== "admin");

/** What to read to know which code a contract runs. */
export function codeReads(address: string): Read[] {
  return slots.map(({ slot }) => ({ kind: "storage", address, slot }));
}

/** What was found there; undefined when it could not be read. A beacon has to be asked itself. */
export function codeInSlots(results: readonly ReadResult[]): CodeSeen | undefined {
  return readable(() => {
    const found = slots.map(({ part }, index) => ({
      part,
      address: addressInWord(wordOf(results[index], `The ${part} slot`)),
    }));
    const firstOf = (wanted: "implementation" | "beacon") =>
      found.find(({ part, address }) => part === wanted && address !== zeroAddress)?.address ?? null;
    return { implementation: firstOf("implementation"), beacon: firstOf("beacon") };
  });
}

export function readBeacon(beacon: string): Read {
  return readCall(beacon, implementationFunction);
}

/** The implementation that a beacon named; undefined when it did not. */
export function namedByBeacon(result: ReadResult | undefined): string | undefined {
  return readable(() => {
    const { $0: named } = resultOf(result, implementationFunction);
    return typeof named === "string" && named !== zeroAddress ? named : undefined;
  });
}

function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
