import type { Call, Emitted } from "../../chains/activity.ts";
import type { Hex } from "../../chains/block.ts";
import type { ChainFamily, NamedItem } from "../../chains/family.ts";
import type { Pause } from "../../lib/concurrency/pauses.ts";
import { type Expression, evaluateExpression } from "../../lib/expression/expression.ts";
import type { Need, TimedReading } from "../../meters/meter.ts";
import { parseEvidence } from "../../store/engine/evidence.ts";

/** A rule's `match`, read once: which transactions count. */
export type Matcher = {
  status: "any" | "success" | "failed";
  expression: Expression | undefined;
  events: Clause<Emitted>[];
  functions: Clause<Call>[];
  transactionFields: ChainFamily["transactionFields"];
};

/** An event or a function by its signature, and what its arguments must be. */
export type Clause<Found> = { item: NamedItem<Found>; expression: Expression | undefined };

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
export async function findMatch(
  matcher: Matcher,
  observed: ObservedTransaction,
  pause: Pause,
): Promise<Match | undefined> {
  if (!statusFits(matcher.status, observed.call)) return undefined;
  if (
    matcher.expression &&
    !evaluateExpression(matcher.expression, transactionScope(matcher, observed.transaction))
  )
    return undefined;
  if (matcher.events.length === 0 && matcher.functions.length === 0) return "transaction";
  const called = await findFunction(matcher.functions, observed.call, pause);
  return called ?? findFirst(matcher.events, observed.events, pause);
}

/** What a matcher needs from the chain besides what its target needs. */
export function needsOfMatcher({ status, expression, functions }: Matcher): readonly Need[] {
  if (status !== "any" || expression) return ["transactions", "receipts"];
  return functions.length > 0 ? ["transactions"] : [];
}

function statusFits(status: Matcher["status"], call: Call | undefined): boolean {
  if (status === "any") return true;
  // A transaction that emitted something to a contract it did not call has succeeded, or there would be no log.
  const isSuccess = call?.receipt ? call.receipt.is_success : true;
  return isSuccess === (status === "success");
}

async function findFunction(
  clauses: Clause<Call>[],
  call: Call | undefined,
  pause: Pause,
): Promise<Match | undefined> {
  if (call?.direction !== "to") return undefined;
  const calls = call.called?.map((decoded) => ({ ...call, decoded })) ?? [call];
  return findFirst(clauses, calls, pause);
}

/** One transaction can have ten thousands of events, and an expression can be expensive. */
async function findFirst<Found>(
  clauses: Clause<Found>[],
  candidates: readonly Found[],
  pause: Pause,
): Promise<Match | undefined> {
  for (const candidate of candidates) {
    for (const { item, expression } of clauses) {
      await pause();
      const match = item.match(candidate);
      if (match && (!expression || evaluateExpression(expression, match.scope))) return match.decoded;
    }
  }
  return undefined;
}

/** The names that an expression on the transaction may use. */
function transactionScope({ transactionFields }: Matcher, call: Sent | undefined): Record<string, unknown> {
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
    ...transactionFields(call),
  };
}

/** The same of a stored reading, which holds the one call or event that it came from. */
export function findStoredMatch(matcher: Matcher, { evidence }: Pick<TimedReading, "evidence">): boolean {
  const { decoded, status, ...transaction } = parseEvidence(evidence ?? null);
  if (matcher.status !== "any" && status !== undefined && status !== matcher.status) return false;
  if (matcher.expression && !evaluateExpression(matcher.expression, { ...transaction, status })) return false;
  const clauses = [...matcher.events, ...matcher.functions];
  if (clauses.length === 0) return true;
  return clauses.some(({ item, expression }) => {
    const scope = decoded && item.matchStored(decoded);
    return scope !== undefined && (!expression || evaluateExpression(expression, scope));
  });
}
