import { canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { convertExpression } from "../../imports/defender/convert-expression.ts";
import type { Clause, Filter, Warning } from "../../imports/defender/monitor.ts";
import { maxDefinitionLength } from "../../wire/definition-length.ts";

/** The maximum length of a signature in a rule. */
const maxSignatureLength = 500;

/** The length of all clauses of a rule, as JSON: the rest is for the expression on the transaction and the threshold. */
const maxClausesLength = maxDefinitionLength - 6_000;

/** A filter converted to a match condition; `isLost` if a part could not be converted. */
export type ConvertedFilter = ReturnType<typeof convertFilter>;

/** Returns a function that converts filters, each once regardless of its number of addresses and channels. */
export function makeFilterConverter(): (filter: Filter) => ConvertedFilter {
  const cache = new Map<Filter, ConvertedFilter>();
  return (filter) => {
    const converted = cache.get(filter) ?? convertFilter(filter);
    cache.set(filter, converted);
    return converted;
  };
}

function convertFilter(filter: Filter) {
  const transaction = convertExpression(filter.expression, "transaction");
  const room = { length: maxClausesLength };
  const events = convertClauses(filter.events, canonicalEvent, room);
  const functions = convertClauses(filter.functions, canonicalFunction, room);
  const hasAny = filter.events.length + filter.functions.length > 0;
  const hasNone = events.clauses.length + functions.clauses.length === 0;
  const match = {
    ...(events.clauses.length > 0 && { events: events.clauses }),
    ...(functions.clauses.length > 0 && { functions: functions.clauses }),
    ...(filter.status !== "any" && { status: filter.status }),
    ...(transaction.expression !== undefined && { expression: transaction.expression }),
  };
  return {
    match: Object.keys(match).length > 0 ? match : undefined,
    warnings: [...transaction.warnings, ...events.warnings, ...functions.warnings],
    isLost: transaction.isUnsupported || events.isLost || functions.isLost || (hasAny && hasNone),
  };
}

/** Clauses beyond the room are left out. */
function convertClauses(
  clauses: Clause[],
  canonical: typeof canonicalEvent | typeof canonicalFunction,
  room: { length: number },
) {
  const carried: { signature: string; expression?: string }[] = [];
  const warnings: Warning[] = [];
  let isLost = clauses.length > 50;
  for (const { signature, expression } of clauses.slice(0, 50)) {
    if (signature.length > maxSignatureLength || !canonical(signature).ok) {
      const message = `${JSON.stringify(signature.slice(0, 100))} is not a valid signature and was omitted.`;
      warnings.push({ code: "invalid_signature", message });
      continue;
    }
    const argumentFilter = convertExpression(expression, "arguments");
    warnings.push(...argumentFilter.warnings);
    isLost ||= argumentFilter.isUnsupported;
    const { expression: converted } = argumentFilter;
    const clause = { signature, ...(converted !== undefined && { expression: converted }) };
    room.length -= JSON.stringify(clause).length + 1;
    if (room.length >= 0) carried.push(clause);
    else isLost = true;
  }
  return { clauses: carried, warnings, isLost };
}
