import { z } from "zod";
import type { Call, Decoded, Emitted } from "../chains/activity.ts";
import type { AbiEvent, AbiFunction } from "../chains/evm/abi/abi-item.ts";
import { decodeCall, decodeLog } from "../chains/evm/abi/decode.ts";
import { type CanonicalItem, canonicalEvent, canonicalFunction } from "../chains/evm/abi/signature.ts";
import type { EventFilter } from "../chains/reading-plan.ts";
import { memoize } from "../lib/caching/memoize.ts";
import {
  type Expression,
  evaluateExpression,
  expressionSize,
  parseExpression,
} from "../lib/expression/expression.ts";

/** Config fields for signatures and expressions. Text that does not parse is rejected when the target is saved. */
export const eventText = signatureText((text) => (eventOf(text) ? { ok: true } : canonicalEvent(text)));
export const functionText = signatureText((text) =>
  functionOf(text) ? { ok: true } : canonicalFunction(text),
);
export const expressionText = z
  .string()
  .min(1)
  .max(2048)
  .superRefine((source, context) => {
    const parsed = parseExpression(source);
    if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.problem.message });
  });

/** Returns the logs of one event emitted by the contract, decoded, whose arguments match the filter. */
export function eventsMatching(
  events: readonly Emitted[],
  address: string,
  signature: string,
  filter: string | undefined,
): Emitted[] {
  const item = eventOf(signature);
  if (!item) return [];
  return events.flatMap((event) => {
    if (event.address !== address || event.topics[0] !== item.selector) return [];
    const decoded = mergeArgumentNames(event.decoded, decodeLog(item.abi, event));
    return matchesFilter(decoded, filter) ? [{ ...event, decoded }] : [];
  });
}

/** The filter for one event of the contract. */
export function eventFilter(address: string, signature: string): EventFilter[] {
  const item = eventOf(signature);
  return item ? [{ address, topics: [item.selector] }] : [];
}

/** Returns the calls of one function of the contract, decoded, whose arguments match the filter. */
export function callsMatching(calls: readonly Call[], signature: string, filter: string | undefined): Call[] {
  const item = functionOf(signature);
  if (!item) return [];
  return calls.flatMap((call) => {
    if (call.direction !== "to" || call.input.slice(0, 10).toLowerCase() !== item.selector) return [];
    const decoded = mergeArgumentNames(call.decoded, decodeCall(item.abi, call.input));
    return matchesFilter(decoded, filter) ? [{ ...call, decoded }] : [];
  });
}

/** A filter may use the argument names of the signature or those of the contract's ABI. */
function mergeArgumentNames(
  decodedByAbi: Decoded | undefined,
  decodedBySignature: Decoded | undefined,
): Decoded | undefined {
  if (!decodedByAbi || !decodedBySignature) return decodedByAbi ?? decodedBySignature;
  return { ...decodedByAbi, args: { ...decodedByAbi.args, ...decodedBySignature.args } };
}

/** Data that cannot be decoded matches no filter. */
export function matchesFilter(decoded: Decoded | undefined, filter: string | undefined): boolean {
  if (filter === undefined) return true;
  const expression = expressionOf(filter);
  return expression !== undefined && decoded !== undefined && evaluateExpression(expression, decoded.args);
}

/** The number of parts of the filter in the config of a target; 0 without one. */
export function filterSize({ filter }: Record<string, unknown>): number {
  const expression = typeof filter === "string" ? expressionOf(filter) : undefined;
  return expression ? expressionSize(expression) : 0;
}

export const eventOf = memoize(10_000, (text): CanonicalItem<AbiEvent> | undefined => {
  const parse = canonicalEvent(text);
  return parse.ok ? parse : undefined;
});

export const functionOf = memoize(10_000, (text): CanonicalItem<AbiFunction> | undefined => {
  const parse = canonicalFunction(text);
  return parse.ok ? parse : undefined;
});

const expressionOf = memoize(10_000, (source): Expression | undefined => {
  const parsed = parseExpression(source);
  return parsed.ok ? parsed.expression : undefined;
});

/** A config field for a signature that `parse` accepts. */
export function signatureText(parse: (text: string) => { ok: true } | { ok: false; problem: string }) {
  return z
    .string()
    .min(1)
    .max(500, { abort: true })
    .superRefine((text, context) => {
      const result = parse(text);
      if (!result.ok) context.addIssue({ code: "custom", message: result.problem });
    });
}
