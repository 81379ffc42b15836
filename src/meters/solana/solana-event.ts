import { z } from "zod";
import type { Activity, Subject } from "../../chains/activity.ts";
import { discriminatorOf } from "../../chains/solana/idl/discriminator.ts";
import { memoize } from "../../lib/caching/memoize.ts";
import { expressionText, matchesFilter } from "../config-filters.ts";
import { callReading, eventReading } from "../evidence.ts";
import { timesText } from "../measured-text.ts";
import { defineMeter, type Reading } from "../meter.ts";
import { decodedOf, decodedText } from "../words.ts";

const shape = z.strictObject({
  event_name: z
    .string()
    .min(1)
    .max(256)
    .describe("The event name, or the text to search for in the program log"),
  match: z
    .enum(["anchor", "log"])
    .default("anchor")
    .describe("anchor: Anchor events of the program; log: lines of the program log that contain the text"),
  filter: expressionText
    .optional()
    .describe("An expression on the event arguments; only matching events are counted"),
});

/** Counts one Anchor event of the program, or lines of its log. */
export const solanaEvent = defineMeter({
  type: "solana_event",
  title: "Program events",
  example: { event_name: "WithdrawEvent" },
  about:
    "Counts one Anchor event of the program, emitted by emit! or emit_cpi!, or lines of the program log that contain a text. Failed transactions emit no events, but their log lines are counted. A log that nodes cut off is reported in the status of the target and by a system alert, because events in the rest of it are not known.",
  unit: "events",
  families: ["solana"],
  instances: "many",
  config: shape,
  needs: ["transactions", "logs"],
  aggregation: "count",

  configProblem({ match, filter }) {
    return match === "log" && filter
      ? "filter is not available with match log: log lines have no arguments."
      : undefined;
  },

  // A failed transaction emits no events.
  readsLog: ({ match }, { receipt }) => match === "log" || receipt?.is_success !== false,

  measuresEach: true,
  measure({ event_name, match, filter }, activity, subject) {
    return match === "log"
      ? logLinesContaining(event_name, activity, subject)
      : eventsNamed(event_name, filter, activity, subject);
  },

  describe({ event_name }, occasion) {
    const { reading, value, aggregation, words } = occasion;
    const decoded = decodedOf(reading);
    if (value === 1 && aggregation !== "rate")
      return decoded ? decodedText(decoded, words) : `${event_name} logged`;
    return `${event_name} ${timesText(occasion)}`;
  },
});

/** Matches by the name in the IDL, or by the Anchor discriminator of the name. */
function eventsNamed(
  name: string,
  filter: string | undefined,
  { events }: Activity,
  { address }: Subject,
): Reading[] {
  const discriminator = anchorDiscriminator(name);
  return events
    .filter((event) => event.address === address)
    .filter(({ decoded, data }) => (decoded ? decoded.name === name : data.startsWith(discriminator)))
    .filter(({ decoded }) => matchesFilter(decoded, filter))
    .map((event) => eventReading(event, 1));
}

const anchorDiscriminator = memoize(10_000, (name) => `0x${discriminatorOf("event", name).toString("hex")}`);

function logLinesContaining(text: string, { calls }: Activity, { address }: Subject): Reading[] {
  return calls.flatMap((call) =>
    (call.solana?.lines ?? []).flatMap((line, position) => {
      if (line.program !== address || line.kind !== "log" || !line.text.includes(text)) return [];
      return [{ ...callReading(call, 1, { line: line.text.slice(0, 500) }), position }];
    }),
  );
}
