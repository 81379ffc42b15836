import type { Hex } from "../../chains/block.ts";
import type { Chain } from "../../chains/chain.ts";
import { canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import type { FoundAbi } from "../abi/find-abi.ts";
import type { Profile } from "../profile/profile.ts";
import type { ResolvedProxy } from "../proxies/resolve-proxy.ts";
import type { ProbeResults } from "./probes.ts";

/** The collected facts of a contract, from which its type, findings and suggested targets are derived. */
export type Facts = {
  chain: Chain;
  address: string;
  resolved: ResolvedProxy;
  abi: FoundAbi;
  probes: ProbeResults;
};

/** The facts of a contract with what was learned because of its type. */
export type ProfiledFacts = Facts & { profile: Profile };

/** Returns true if the ABI or the bytecode has the function. */
export function hasFunction({ abi }: Facts, signature: string): boolean {
  const read = canonicalFunction(signature);
  return read.ok && abi.selectors.includes(read.selector as Hex);
}

/** Returns true if the ABI declares the event, or the code contains its topic. */
export function hasEvent({ abi, profile }: Facts & { profile?: Profile }, signature: string): boolean {
  const read = canonicalEvent(signature);
  return read.ok && (abi.abi.events.has(read.selector) || profile?.topics.includes(read.selector) === true);
}
