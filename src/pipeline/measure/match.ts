import type { Hex } from "../../chains/block.ts";
import { decodeCall, decodeLog } from "../../chains/evm/abi/decode.ts";
import type { CanonicalItem } from "../../chains/evm/abi/signature.ts";
import { snakeCase } from "../../chains/solana/idl/idl.ts";
import { type Expression, evaluateExpression } from "../../lib/expression/expression.ts";
import type { Call, Decoded, Emitted, TimedReading } from "../../meters/meter.ts";

/** A rule's `match`, read once: which transactions count. */
export type Matcher = {
  status: "any" | "success" | "failed";
  expression: Expression | undefined;
  events: Clause[];
  functions: Clause[];
};

/** An event or a function by its signature, and what its arguments must be. */
export type Clause = { item: CanonicalItem; expression: Expression | undefined };

/** A transaction as far as it concerns a contract: the call to it, if there was one, and what it emitted. */
export type ObservedTransaction = {
  call: Call | undefined;
  events: Emitted[];
  transaction: Sent | undefined;
};

/** What is said of a transaction whichever contract it calls. */
type Sent = Omit<Call, "direction" | "decoded" | "called">;

/** What made a happening count. */
export type Match = { name: string; signature: string; args: Record<string, unknown> } | "transaction";

/**
 * The conditions on the transaction must hold, and one of the events or functions must be there; a rule that names
 * none of either takes every transaction. Returns what matched, or undefined.
 */
export function findMatch(matcher: Matcher, observed: ObservedTransaction): Match | undefined {
  if (!statusFits(matcher.status, observed.call)) return undefined;
  if (matcher.expression && !evaluateExpression(matcher.expression, transactionScope(observed.transaction)))
    return undefined;
  if (matcher.events.length === 0 && matcher.functions.length === 0) return "transaction";
  return findFunction(matcher.functions, observed.call) ?? findEvent(matcher.events, observed.events);
}

/** Whether receipts are needed to tell. */
export function needsReceipts(matcher: Matcher): boolean {
  return matcher.status !== "any" || matcher.expression !== undefined;
}

function statusFits(status: Matcher["status"], call: Call | undefined): boolean {
  if (status === "any") return true;
  // A transaction that emitted something to a contract it did not call has succeeded, or there would be no log.
  const isSuccess = call?.receipt ? call.receipt.is_success : true;
  return isSuccess === (status === "success");
}

function findFunction(clauses: Clause[], call: Call | undefined): Match | undefined {
  if (call?.direction !== "to") return undefined;
  if (call.solana) return findNamed(clauses, call.called ?? []);
  for (const { item, expression } of clauses) {
    if (call.input.slice(0, 10).toLowerCase() !== item.selector) continue;
    const decoded =
      call.decoded?.signature === item.signature ? call.decoded : decodeCall(item.abi, call.input);
    if (decoded && (!expression || evaluateExpression(expression, scopeOf(item, decoded)))) return decoded;
  }
  return undefined;
}

function findEvent(clauses: Clause[], events: Emitted[]): Match | undefined {
  for (const event of events) {
    // Without topics there is only the name, as on Solana.
    const named =
      event.topics.length === 0 && event.decoded ? findNamed(clauses, [event.decoded]) : undefined;
    if (named) return named;
    for (const { item, expression } of clauses) {
      if (event.topics[0] !== item.selector) continue;
      const decoded =
        event.decoded?.signature === item.signature ? event.decoded : decodeLog(item.abi, event);
      if (decoded && (!expression || evaluateExpression(expression, scopeOf(item, decoded)))) return decoded;
    }
  }
  return undefined;
}

/** People use the names that they wrote into the signature, or those of the contract's ABI. */
function scopeOf({ item }: CanonicalItem, { args }: Pick<Decoded, "args">): Record<string, unknown> {
  const written = item.inputs.flatMap(({ name }, position) =>
    name && Object.hasOwn(args, `$${position}`) ? [[name, args[`$${position}`]] as const] : [],
  );
  return { ...args, ...Object.fromEntries(written) };
}

/** On Solana, what a program calls its instructions and events is all that tells them apart. */
function findNamed(clauses: Clause[], happened: readonly Decoded[]): Match | undefined {
  return happened.find((decoded) =>
    clauses.some(
      ({ item, expression }) =>
        hasName(decoded.name, item) && (!expression || evaluateExpression(expression, decoded.args)),
    ),
  );
}

function hasName(name: string, { item }: CanonicalItem): boolean {
  return name === item.name || snakeCase(name) === snakeCase(item.name);
}

/** The names that an expression on the transaction may use. */
function transactionScope(call: Sent | undefined): Record<string, unknown> {
  if (!call) return {};
  return {
    hash: call.tx_hash,
    transaction_index: call.tx_index,
    from: call.from,
    to: call.to,
    value: call.value,
    input: call.input as Hex,
    nonce: call.nonce,
    gas_limit: call.gas_limit,
    gas_price: call.gas_price,
    ...(call.receipt && {
      gas_used: call.receipt.gas_used,
      status: call.receipt.is_success ? "success" : "failed",
    }),
    ...(call.solana && { fee: call.solana.fee, error: call.solana.error ?? "" }),
  };
}

/** The same of a stored reading, which holds the one call or event that it came from. */
export function findStoredMatch(matcher: Matcher, { evidence }: Pick<TimedReading, "evidence">): boolean {
  const { decoded, status, ...transaction } = (evidence ?? {}) as StoredEvidence;
  if (matcher.status !== "any" && status !== undefined && status !== matcher.status) return false;
  if (matcher.expression && !evaluateExpression(matcher.expression, { ...transaction, status })) return false;
  const clauses = [...matcher.events, ...matcher.functions];
  if (clauses.length === 0) return true;
  return clauses.some(
    ({ item, expression }) =>
      decoded !== undefined &&
      (decoded.signature === item.signature || hasName(decoded.signature, item)) &&
      (!expression || evaluateExpression(expression, scopeOf(item, decoded))),
  );
}

type StoredEvidence = {
  decoded?: { signature: string; args: Record<string, unknown> };
  status?: "success" | "failed";
  [name: string]: unknown;
};
