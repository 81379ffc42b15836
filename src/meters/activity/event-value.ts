import { z } from "zod";
import type { Decoded } from "../../chains/activity.ts";
import { memoize } from "../../lib/caching/memoize.ts";
import { parseExpression } from "../../lib/expression/expression.ts";
import { lookUp } from "../../lib/expression/value.ts";
import { decimalsNumber } from "../config-fields.ts";
import { eventFilter, eventOf, eventsMatching, eventText } from "../config-filters.ts";
import { eventReading } from "../evidence.ts";
import { isOfOneReading, reducedText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { toUnits } from "../units.ts";
import { nameIn, numberText, senderText } from "../words.ts";

/** Measures a numeric argument of one event, such as the amount of a swap. */
export const eventValue = defineMeter({
  type: "event_value",
  title: "Value in events",
  example: {
    event_signature: "Transfer(address indexed from, address indexed to, uint256 value)",
    arg: "value",
    decimals: 18,
  },
  about:
    "The value of a numeric argument of one event emitted by the contract, scaled by its decimals. Events without that argument are skipped.",
  unit: "units",
  isOccurrence: true,
  families: ["evm"],
  needsCode: true,
  instances: "many",
  config: z
    .strictObject({
      event_signature: eventText.describe("The event signature, such as Transfer(address,address,uint256)"),
      arg: z
        .string()
        .min(1)
        .max(200)
        .describe(
          "The argument: a name, a position such as $2, or a path into a tuple or array such as order.amounts[0]",
        ),
      decimals: decimalsNumber.default(0).describe("The number of decimals by which the value is scaled"),
    })
    .superRefine(({ event_signature, arg }, context) => {
      const message = argumentProblem(event_signature, arg);
      if (message) context.addIssue({ code: "custom", path: ["arg"], message });
    }),
  needs: ["logs"],
  events: ({ event_signature }, { address }) => eventFilter(address, event_signature),
  aggregation: "sum",

  measuresEach: true,
  measure({ event_signature, arg, decimals }, { events }, { address }) {
    return eventsMatching(events, address, event_signature, undefined).flatMap((event) => {
      const amount = integerAt(event.decoded, arg);
      if (amount === undefined) return [];
      return [eventReading(event, toUnits(amount, decimals), { amount })];
    });
  },

  describe({ event_signature, arg }, occasion) {
    const { reading, value, words } = occasion;
    if (!isOfOneReading(occasion)) return `${arg} of ${nameIn(event_signature)} ${reducedText(occasion)}`;
    return `${nameIn(event_signature)} with ${arg} ${numberText(value)}${senderText(reading, words)}`;
  },
});

const pathOf = memoize(10_000, (text) => {
  const parsed = parseExpression(text);
  return parsed.ok && parsed.expression.kind === "name" ? parsed.expression.path : undefined;
});

function integerAt(decoded: Decoded | undefined, arg: string): bigint | undefined {
  const path = pathOf(arg);
  const value = decoded && path && lookUp(decoded.args, path);
  return value?.kind === "number" && value.value.denominator === 1n ? value.value.numerator : undefined;
}

/** Checks positions only: names may also come from the contract's ABI, which is not available here. */
function argumentProblem(signature: string, arg: string): string | undefined {
  const path = pathOf(arg);
  if (!path)
    return "The argument must be a name, a position or a path, such as amount, $2 or order.amounts[0].";
  const position = /^\$(\d+)$/.exec(path[0])?.[1];
  const inputs = eventOf(signature)?.item.inputs ?? [];
  if (position === undefined || Number(position) < inputs.length) return undefined;
  return `The event has ${inputs.length} arguments; positions start at $0.`;
}
