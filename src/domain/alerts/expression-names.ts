import type { AbiIndex } from "../../chains/evm/abi/abi.ts";
import type { CanonicalItem } from "../../chains/evm/abi/signature.ts";
import { type Expression, namesIn } from "../../lib/expression/expression.ts";
import { suggestNames } from "../../lib/expression/nearest-name.ts";
import type { RuleSubject } from "./rule-subject.ts";

/** The part of a subject that decides which names exist. */
export type NamingContext = Pick<RuleSubject, "chain" | "abi"> &
  Partial<Pick<RuleSubject, "events" | "functions">>;

const commonNames = ["hash", "transaction_index", "from", "to", "gas_used", "status"];
/** A transaction of Solana has instructions in their place: these would always be zero. */
const evmNames = [...commonNames, "value", "input", "nonce", "gas_limit", "gas_price"];
const solanaNames = [...commonNames, "fee", "error", "error_name"];

/** Returns why the names in an expression about a transaction cannot be resolved; undefined if they can. */
export function transactionNameProblem(
  expression: Expression,
  context: NamingContext | undefined,
): string | undefined {
  return problemOf(expression, transactionNamesOn(context?.chain.kind));
}

function transactionNamesOn(kind: "evm" | "solana" | undefined): string[] {
  if (kind === "evm") return evmNames;
  return kind === "solana" ? solanaNames : [...new Set([...evmNames, ...solanaNames])];
}

/** Returns why the names in an expression about arguments cannot be resolved. */
export function argumentNameProblem(
  expression: Expression,
  item: CanonicalItem,
  context: NamingContext | undefined,
): string | undefined {
  const names = argumentNames(item, context);
  return names && problemOf(expression, names);
}

/**
 * Returns the names of the arguments of an event or a function. Undefined when there may be others: arguments without a name in
 * the signature and in the ABI may have any name, and those of Solana depend on an IDL that may be found later.
 */
export function argumentNames(
  { item, abi, selector }: CanonicalItem,
  context: NamingContext | undefined,
): string[] | undefined {
  if (context?.chain.kind !== "evm") return undefined;
  const entries = [abi, context.abi].flatMap(({ events, functions }) => [
    ...(events.get(selector) ?? []),
    ...(functions.get(selector) ?? []),
  ]);
  const parameterLists = [item, ...entries.map((entry) => entry.item)].map(({ inputs = [] }) => inputs);
  const isNamed = parameterLists.some((inputs) => inputs.every(({ name }) => name));
  if (!isNamed) return undefined;
  const names = parameterLists.flat().flatMap(({ name }) => (name ? [name] : []));
  const positions = item.inputs.map((_, index) => `$${index}`);
  return [...new Set([...names, ...positions])];
}

/** Returns why the contract has no such event or function; undefined if it has, or if its interface is not known. */
export function signatureProblem(
  { signature, selector }: CanonicalItem,
  kind: "event" | "function",
  context: NamingContext | undefined,
): string | undefined {
  if (context?.chain.kind !== "evm") return undefined;
  const entries: AbiIndex["events"] | undefined = kind === "event" ? context.events : context.functions;
  if (!entries || entries.has(selector)) return undefined;
  const signatures = [...entries.values()].flatMap(([entry]) => (entry ? [entry.signature] : []));
  return `is not ${kind === "event" ? "an event" : "a function"} of the contract: it has no ${signature}; ${suggestNames(signature, signatures, `${kind}s`)}`;
}

function problemOf(expression: Expression, names: readonly string[]): string | undefined {
  const unknown = namesIn(expression).filter((name) => !names.includes(name));
  const [first] = unknown;
  if (first === undefined) return undefined;
  return `uses ${unknown.join(", ")}, which does not exist; ${suggestNames(first, names, names.length > 0 ? "names" : "arguments")}`;
}
