import { canonicalEvent, canonicalFunction } from "../chains/evm/abi/signature.ts";
import type { Check, ContractFacts } from "./template.ts";

/** Accepts every contract. */
export const always: Check = () => undefined;

/** Requires one of the functions. An existing target is accepted, because it may measure another contract. */
export function needsFunction(...signatures: [string, ...string[]]): Check {
  return (facts, target) => {
    const isKnown = facts.functions || facts.profile;
    if (target || !isKnown || signatures.some((text) => hasFunction(facts, text))) return undefined;
    return `The contract has no function ${signatures.join(" or ")}.`;
  };
}

/** Requires one of the events. */
export function needsEvent(...signatures: [string, ...string[]]): Check {
  return (facts, target) => {
    const isKnown = facts.events || facts.profile;
    if (target || !isKnown || signatures.some((text) => hasEvent(facts, text))) return undefined;
    return `The contract has no event ${signatures.join(" or ")}.`;
  };
}

/** Requires one of the events of the contract itself, because several templates use the same target for different events. */
export function needsOwnEvent(...signatures: [string, ...string[]]): Check {
  return (facts) => needsEvent(...signatures)(facts, undefined);
}

/** Requires one of two checks to pass. Bytecode shows functions, but not events. */
export function needsEither(first: Check, second: Check): Check {
  return (facts, target) => {
    const reason = first(facts, target);
    return reason && second(facts, target) ? reason : undefined;
  };
}

/** Requires an existing target, because its config cannot be derived. */
export function needsTarget(sentence: string): Check {
  return (_facts, target) => (target ? undefined : sentence);
}

export const needsTokens = needsTarget("Add a tvl target with the tokens and their prices first.");
export const needsRoutes = needsTarget("Add a bridge_config target with the routes first.");
export const needsReference = needsTarget("Add an oracle_deviation target with a reference first.");

/** Requires that an inspection found tokens at the contract. */
export const needsAssets: Check = ({ profile }) =>
  profile?.assets.length === 0 ? "The contract holds no tokens." : undefined;

/** Requires a proxy. */
export const needsProxy: Check = (facts, target) => {
  const isNone = facts.is_proxy === false && !hasEvent(facts, "Upgraded(address)");
  return !target && isNone ? "The contract is not a proxy." : undefined;
};

/** Returns whether the ABI or the code has the function. */
export function hasFunction({ functions, profile }: ContractFacts, text: string): boolean {
  const read = canonicalFunction(text);
  return (
    read.ok && (functions?.has(read.selector) === true || profile?.selectors.includes(read.selector) === true)
  );
}

/** Returns whether the ABI has the event, or the code its topic. */
export function hasEvent({ events, profile }: ContractFacts, text: string): boolean {
  const read = canonicalEvent(text);
  return read.ok && (events?.has(read.selector) === true || profile?.topics.includes(read.selector) === true);
}
