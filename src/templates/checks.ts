import { canonicalEvent, canonicalFunction } from "../chains/evm/abi/signature.ts";
import type { Check, ContractFacts } from "./template.ts";

/** Works everywhere. */
export const always: Check = () => undefined;

/** One of the functions must be there. What is measured already may be about another contract, and is let be. */
export function needsFunction(...signatures: [string, ...string[]]): Check {
  return (facts, target) => {
    if (target || !facts.functions || signatures.some((text) => hasFunction(facts, text))) return undefined;
    return `The contract has no function ${signatures.join(" or ")}.`;
  };
}

/** One of the events must be there. */
export function needsEvent(...signatures: [string, ...string[]]): Check {
  return (facts, target) => {
    if (target || !facts.events || signatures.some((text) => hasEvent(facts, text))) return undefined;
    return `The contract has no event ${signatures.join(" or ")}.`;
  };
}

/** Either will do: code alone tells functions and never events. */
export function needsEither(first: Check, second: Check): Check {
  return (facts, target) => {
    const reason = first(facts, target);
    return reason && second(facts, target) ? reason : undefined;
  };
}

/** Only a person can say how this is to be measured. */
export function needsTarget(sentence: string): Check {
  return (_facts, target) => (target ? undefined : sentence);
}

export const needsTokens = needsTarget("Add a tvl target first: it has to know the tokens and their prices.");
export const needsRoutes = needsTarget("Add a bridge_config target first: it has to know the routes.");
export const needsReference = needsTarget(
  "Add an oracle_deviation target first: it has to know what to compare with.",
);

/** Its code must be replaceable. */
export const needsProxy: Check = (facts, target) => {
  const isNone = facts.is_proxy === false && !hasEvent(facts, "Upgraded(address)");
  return !target && isNone ? "The contract is not a proxy." : undefined;
};

function hasFunction({ functions }: ContractFacts, text: string): boolean {
  const read = canonicalFunction(text);
  return read.ok && functions?.has(read.selector) === true;
}

function hasEvent({ events }: ContractFacts, text: string): boolean {
  const read = canonicalEvent(text);
  return read.ok && events?.has(read.selector) === true;
}
