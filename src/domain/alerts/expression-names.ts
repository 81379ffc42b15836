import type { Chain } from "../../chains/chain.ts";
import { type AbiIndex, emptyAbi } from "../../chains/evm/abi/abi.ts";
import type { CanonicalItem } from "../../chains/evm/abi/signature.ts";
import { familyOf } from "../../chains/families.ts";
import { chainOf } from "../../chains/index.ts";
import { type Expression, namesIn } from "../../lib/expression/expression.ts";
import { findWatched } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";

/** The contract whose calls and events an expression is about. */
export type NamingContext = { chain: Pick<Chain, "kind">; abi: AbiIndex };

/** Loads the contract that a rule is about, with the ABI of the code behind it. */
export async function namingContext(
  db: Db,
  org_id: string,
  contract_id: string,
): Promise<NamingContext | undefined> {
  const row = await findWatched(db, org_id, contract_id);
  const chain = row && chainOf(row.chain);
  if (!row || !chain) return undefined;
  return { chain, abi: familyOf(chain).compileSubject({ ...row, chain }).abi ?? emptyAbi };
}

const transactionNames = [
  ...["hash", "transaction_index", "from", "to", "value", "input", "nonce"],
  ...["gas_limit", "gas_price", "gas_used", "status"],
];
const solanaNames = ["fee", "error"];

/** Returns why the names in an expression about a transaction cannot be resolved; undefined if they can. */
export function transactionNameProblem(
  expression: Expression,
  context: NamingContext | undefined,
): string | undefined {
  const isEvm = context?.chain.kind === "evm";
  return problemOf(expression, isEvm ? transactionNames : [...transactionNames, ...solanaNames]);
}

/**
 * Returns why the names in an expression about arguments cannot be resolved. Arguments without a name in the signature and in
 * the ABI may have any name, and those of Solana depend on an IDL that may be found later.
 */
export function argumentNameProblem(
  expression: Expression,
  { item, abi, selector }: CanonicalItem,
  context: NamingContext | undefined,
): string | undefined {
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
  return problemOf(expression, [...new Set([...names, ...positions])]);
}

function problemOf(expression: Expression, known: readonly string[]): string | undefined {
  const unknown = namesIn(expression).filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  const existing = known.length > 0 ? `the names are ${known.join(", ")}` : "there are no arguments";
  return `uses ${unknown.join(", ")}, which does not exist; ${existing}`;
}
