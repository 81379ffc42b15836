import type { ReadResult } from "../../chains/block.ts";
import { implementationFunction, proxySlots } from "../../chains/evm/code/proxy-slots.ts";
import { getAddress, zeroAddress } from "../../chains/evm/values/address.ts";
import { addressInWord, resultOf, UnreadableState, UnsupportedState, wordOf } from "../state-results.ts";
import {
  beaconFunctions,
  facetsFunction,
  masterCopyFunction,
  type ProxyKindName,
  type ProxyPart,
} from "./proxy-reads.ts";
import { omitUnknownImplementation, type ProxyState } from "./proxy-state.ts";

/** The results of a poll, by part of the proxy. */
export type ProxyResults = ReadonlyMap<ProxyPart, readonly ReadResult[]>;

/** The addresses of a proxy and the kind that they show. */
export type ObservedProxy = ProxyState & { kind: ProxyKindName };

/**
 * Returns the addresses of a proxy. The storage slots of the standards count first, because a contract may claim anything in
 * a call. Throws UnreadableState.
 */
export function proxyStateFromReads(results: ProxyResults): ObservedProxy {
  const [code] = results.get("delegation") ?? [];
  if (code) return { implementation: delegateIn(code), kind: "eip7702" };
  const observed = stateInSlots(results.get("slots"));
  if (observed.implementation !== zeroAddress) return { ...observed, kind: "eip1967" };
  const beacon = results.get("beacon");
  if (beacon) return { ...observed, implementation: implementationOfBeacon(beacon), kind: "beacon" };
  if ((observed.beacon ?? zeroAddress) !== zeroAddress)
    return { ...omitUnknownImplementation(observed), kind: "beacon" };
  const facets = facetsIn(results.get("facets"));
  const singleton = singletonIn(results);
  const implementation = singleton ?? implementationIn(results.get("implementation"));
  if (!facets && (implementation ?? zeroAddress) === zeroAddress) throw new UnsupportedState(notAProxy);
  return {
    ...observed,
    ...(implementation && { implementation }),
    ...(facets && { facets }),
    kind: facets ? "diamond" : singleton ? "safe" : "eip897",
  };
}

const notAProxy =
  "The contract is not a proxy of a known kind, so that changes of its code cannot be detected.";

function stateInSlots(results: readonly ReadResult[] | undefined): ProxyState {
  const observed: ProxyState = { implementation: zeroAddress, admin: zeroAddress, beacon: zeroAddress };
  if (!results) return observed;
  for (const [index, { part }] of proxySlots.entries()) {
    const address = addressInWord(wordOf(results[index], `The ${part} slot`));
    if (observed[part] === zeroAddress) observed[part] = address;
  }
  return observed;
}

/** The contract whose code a wallet runs (EIP-7702): its own code is a prefix and the address. */
function delegateIn(code: ReadResult): string {
  if (!code.ok) throw new UnreadableState(code.problem);
  const [, delegate] = /^0xef0100([0-9a-f]{40})$/i.exec(code.data) ?? [];
  if (delegate) return getAddress(`0x${delegate}`);
  if (code.data !== "0x") throw new UnsupportedState("There is a contract at this address and not a wallet.");
  return zeroAddress;
}

function implementationOfBeacon(results: readonly ReadResult[]): string {
  for (const [index, name] of beaconFunctions.entries()) {
    const address = addressOf(results[index], name);
    if (address !== undefined) return address;
  }
  throw new UnreadableState("The beacon does not name an implementation.");
}

/** The singleton of a Safe. masterCopy() must match the first slot, because other contracts keep something else there. */
function singletonIn(parts: ProxyResults): string | undefined {
  const [masterCopy] = parts.get("master_copy") ?? [];
  if (masterCopy) return addressOf(masterCopy, masterCopyFunction);
  const results = parts.get("singleton");
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
