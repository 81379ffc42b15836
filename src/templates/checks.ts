import { canonicalEvent, canonicalFunction } from "../chains/evm/abi/signature.ts";
import { memoize } from "../lib/caching/memoize.ts";
import type { Check, ContractFacts } from "./template.ts";

/** Accepts every contract. */
export const always: Check = () => undefined;

type AccountKind = NonNullable<NonNullable<ContractFacts["profile"]>["account"]>["kind"];

const kindNames: Record<AccountKind, string> = {
  program: "a program",
  mint: "a token mint",
  token_account: "a token account",
  oracle_feed: "a price feed",
  multisig: "a multisig of Squads",
  nonce: "a durable nonce",
  wallet: "a wallet",
  other: "another account",
};

/** Requires that a Solana address is one of these. */
export function needsAccount(...kinds: [AccountKind, ...AccountKind[]]): Check {
  return ({ profile }, target) => {
    const kind = profile?.account?.kind;
    if (target || kind === undefined || kinds.includes(kind)) return undefined;
    return `The address is ${kindNames[kind]}, and not ${kinds.map((expected) => kindNames[expected]).join(" or ")}.`;
  };
}

/** Requires one thing on Solana and another one on EVM chains. */
export function byFamily(checks: { evm: Check; solana: Check }): Check {
  return (facts, target) => checks[facts.kind](facts, target);
}

/** Requires one of the functions. An existing target is accepted, because it may measure another contract. */
export function needsFunction(...signatures: [string, ...string[]]): Check {
  return (facts, target) => {
    const isKnown = facts.functions || facts.profile;
    if (facts.kind === "solana" && !target) return "Programs on Solana have no such functions.";
    if (target || !isKnown || signatures.some((text) => hasFunction(facts, text))) return undefined;
    return `The contract has no function ${signatures.join(" or ")}.`;
  };
}

/** Requires one of the events. */
export function needsEvent(...signatures: [string, ...string[]]): Check {
  return (facts, target) => {
    const isKnown = facts.events || facts.profile;
    if (facts.kind === "solana" && !target) return "Programs on Solana have no such events.";
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

/** Requires a token. */
export const needsToken = byFamily({ evm: needsFunction("totalSupply()"), solana: needsAccount("mint") });

/** Requires a price feed. */
export const needsFeed = byFamily({
  evm: needsFunction("latestRoundData()"),
  solana: needsAccount("oracle_feed"),
});

/** Requires a price feed, or an oracle without rounds whose price an inspection found. */
export const needsPrice: Check = (facts, target) =>
  facts.profile?.price_source ? undefined : needsFeed(facts, target);

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
  const selector = functionSelector(text);
  if (selector === undefined) return false;
  return functions?.has(selector) === true || profile?.selectors.includes(selector) === true;
}

/** Returns whether the ABI has the event, or the code its topic. */
export function hasEvent({ events, profile }: ContractFacts, text: string): boolean {
  const topic = eventTopic(text);
  return topic !== undefined && (events?.has(topic) === true || profile?.topics.includes(topic) === true);
}

// Every template asks for the same signatures on every contract.
const functionSelector = memoize(1_000, (text) => {
  const read = canonicalFunction(text);
  return read.ok ? read.selector : undefined;
});
const eventTopic = memoize(1_000, (text) => {
  const read = canonicalEvent(text);
  return read.ok ? read.selector : undefined;
});
