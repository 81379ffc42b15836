import { z } from "zod";
import type { Activity, Subject } from "../../chains/activity.ts";
import { discriminatorOf } from "../../chains/solana/idl/idl.ts";
import { memoize } from "../../lib/memoize.ts";
import { expressionText, matchesFilter } from "../config-filters.ts";
import { callReading, eventReading } from "../evidence.ts";
import { defineMeter, type Reading } from "../meter.ts";

const shape = z.strictObject({
  event_name: z.string().min(1).max(256).describe("The event's name, or the text to look for in the log"),
  match: z
    .enum(["anchor", "log"])
    .default("anchor")
    .describe("anchor: events that the program emits; log: lines of its log that contain the text"),
  filter: expressionText.optional().describe("Count only events whose arguments are so"),
});

/** How often the program emits one event, in its log or by calling itself. */
export const solanaEvent = defineMeter({
  type: "solana_event",
  title: "Program events",
  about:
    "Counts one event that the program emits, by emit! or emit_cpi!, or lines of its log that contain a text. A transaction that fails emits no event, but its log is read. Logs that the node cuts off are not seen.",
  unit: "events",
  families: ["solana"],
  instances: "many",
  config: shape,
  needs: ["transactions", "logs"],
  aggregation: "count",

  configProblem({ match, filter }) {
    return match === "log" && filter ? "Lines of a log have no arguments to filter by." : undefined;
  },

  measure({ event_name, match, filter }, activity, subject) {
    return match === "log"
      ? logLinesContaining(event_name, activity, subject)
      : eventsNamed(event_name, filter, activity, subject);
  },
});

/** By the IDL's name, or by the mark that Anchor gives an event of that name. */
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
