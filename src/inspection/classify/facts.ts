import type { Hex } from "../../chains/block.ts";
import type { Chain } from "../../chains/chain.ts";
import { canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import type { FoundAbi } from "../abi/find-abi.ts";
import type { ResolvedProxy } from "../proxies/resolve-proxy.ts";
import type { ProbeResults } from "./probes.ts";

/** Everything that was found out about a contract; what it is called and what to watch follow from this alone. */
export type Facts = {
  chain: Chain;
  address: string;
  resolved: ResolvedProxy;
  abi: FoundAbi;
  probes: ProbeResults;
};

/** Whether the contract answers to a function, by its published ABI or by its code. */
export function hasFunction({ abi }: Facts, signature: string): boolean {
  const read = canonicalFunction(signature);
  return read.ok && abi.selectors.includes(read.selector as Hex);
}

/** Whether the published ABI declares an event; code alone does not tell. */
export function hasEvent({ abi }: Facts, signature: string): boolean {
  const read = canonicalEvent(signature);
  return read.ok && abi.abi.events.has(read.selector);
}
