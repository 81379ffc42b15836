import { zeroAddress } from "viem";
import type { ReadResult } from "../../chains/block.ts";
import { implementationFunction, proxySlots } from "../../chains/evm/code/proxy-slots.ts";
import { addressInWord, resultOf, UnreadableState, wordOf } from "../state-results.ts";
import { facetsFunction, masterCopyFunction, type ProxyPart } from "./proxy-reads.ts";
import { omitUnknownImplementation, type ProxyState } from "./proxy-state.ts";

/** The results of a poll, by part of the proxy. */
export type ProxyResults = ReadonlyMap<ProxyPart, readonly ReadResult[]>;

/**
 * Returns the addresses of a proxy. The storage slots of the standards count first, because a contract may claim anything in
 * a call. Throws UnreadableState.
 */
export function proxyStateFromReads(results: ProxyResults): ProxyState {
  const observed = stateInSlots(results.get("slots"));
  if (observed.implementation !== zeroAddress) return observed;
  const beacon = results.get("beacon");
  if (beacon) {
    const { $0: named } = resultOf(beacon[0], implementationFunction);
    return typeof named === "string" ? { ...observed, implementation: named } : observed;
  }
  if ((observed.beacon ?? zeroAddress) !== zeroAddress) return omitUnknownImplementation(observed);
  const facets = facetsIn(results.get("facets"));
  const implementation =
    singletonIn(results.get("singleton")) ?? implementationIn(results.get("implementation"));
  return {
    ...observed,
    ...(implementation && { implementation }),
    ...(facets && { facets }),
  };
}

function stateInSlots(results: readonly ReadResult[] | undefined): ProxyState {
  const observed: ProxyState = { implementation: zeroAddress, admin: zeroAddress, beacon: zeroAddress };
  if (!results) return observed;
  for (const [index, { part }] of proxySlots.entries()) {
    const address = addressInWord(wordOf(results[index], `The ${part} slot`));
    if (observed[part] === zeroAddress) observed[part] = address;
  }
  return observed;
}

/** The singleton of a Safe. masterCopy() must match the first slot, because other contracts keep something else there. */
function singletonIn(results: readonly ReadResult[] | undefined): string | undefined {
  if (!results) return undefined;
  const named = addressOf(results[1], masterCopyFunction);
  const stored = addressInWord(wordOf(results[0], "The first slot"));
  return named !== undefined && named === stored && named !== zeroAddress ? named : undefined;
}

/** The facets of a diamond in a fixed order; the order in which a contract lists them means nothing. */
function facetsIn(results: readonly ReadResult[] | undefined): string | undefined {
  const returned = results && optional(results[0], facetsFunction);
  if (!Array.isArray(returned) || returned.length === 0) return undefined;
  return [...new Set(returned.map(String))].sort().join(" ");
}

function implementationIn(results: readonly ReadResult[] | undefined): string | undefined {
  return results && addressOf(results[0], implementationFunction);
}

function addressOf(result: ReadResult | undefined, declaration: string): string | undefined {
  const returned = optional(result, declaration);
  return typeof returned === "string" ? returned : undefined;
}

/** The value of a function that the contract may lack. A read that nodes failed to answer tells nothing. */
function optional(result: ReadResult | undefined, declaration: string): unknown {
  if (result && !result.ok && result.code === "reverted") return undefined;
  // A contract with a fallback function may return no data instead of reverting.
  if (result?.ok && result.data.length < 66) return undefined;
  try {
    return resultOf(result, declaration).$0;
  } catch (error) {
    if (error instanceof UnreadableState && result?.ok) return undefined;
    throw error;
  }
}
