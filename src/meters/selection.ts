import { z } from "zod";
import { decodeLog } from "../chains/evm/decode.ts";
import { type CanonicalItem, canonicalEvent, canonicalFunction } from "../chains/evm/signature.ts";
import { type Expression, evaluateExpression, parseExpression } from "../lib/expression/expression.ts";
import type { Emitted } from "./meter.ts";

/** Config fields that hold a signature or an expression; what does not parse is refused when the target is saved. */
export const eventText = signatureText(canonicalEvent);
export const functionText = signatureText(canonicalFunction);
export const expressionText = z
  .string()
  .min(1)
  .max(2048)
  .superRefine((source, context) => {
    const parsed = parseExpression(source);
    if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.problem.message });
  });

/** The logs of one event that the contract itself emitted, decoded, whose arguments fit the filter. */
export function eventsMatching(
  events: readonly Emitted[],
  address: string,
  signature: string,
  filter: string | undefined,
): Emitted[] {
  const item = eventOf(signature);
  const expression = filter === undefined ? undefined : expressionOf(filter);
  if (!item) return [];
  return events.flatMap((event) => {
    if (event.address !== address || event.topics[0] !== item.selector) return [];
    const decoded = event.decoded ?? decodeLog(item.abi, event);
    if (expression && !(decoded && evaluateExpression(expression, decoded.args))) return [];
    return [{ ...event, decoded }];
  });
}

/** Read once for each text: the same few signatures and filters come with every block. */
export const eventOf = remember((text: string): CanonicalItem | undefined => {
  const read = canonicalEvent(text);
  return read.ok ? read : undefined;
});

export const functionOf = remember((text: string): CanonicalItem | undefined => {
  const read = canonicalFunction(text);
  return read.ok ? read : undefined;
});

export const expressionOf = remember((source: string): Expression | undefined => {
  const parsed = parseExpression(source);
  return parsed.ok ? parsed.expression : undefined;
});

const rememberedTexts = 10_000;

function remember<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = read(text);
    if (known.size >= rememberedTexts) known.clear();
    known.set(text, value);
    return value;
  };
}

function signatureText(read: typeof canonicalEvent | typeof canonicalFunction) {
  return z
    .string()
    .min(1)
    .max(500)
    .superRefine((text, context) => {
      const result = read(text);
      if (!result.ok) context.addIssue({ code: "custom", message: result.problem });
    });
}
