import { z } from "zod";
import type { CanonicalItem } from "../../chains/evm/abi/signature.ts";
import { memoize } from "../../lib/caching/memoize.ts";
import { eventText, functionOf, signatureText } from "../config-filters.ts";
import { eventReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";
import { type StandardEvents, selectEvents, standardEvents } from "../standard-events.ts";
import { parseViewSignature } from "../state/view-signature.ts";
import { readCall, readingOrProblem } from "../state-results.ts";
import { decodedOf, decodedText, senderText, stateText } from "../words.ts";
import { settingEvents } from "./setting-events.ts";
import { advanceSettings, keepMoves, type SettingChange, valuesFrom } from "./setting-values.ts";

const getterText = signatureText(parseViewSignature).refine(
  (text) => functionOf(text)?.item.inputs.length === 0 && functionOf(text)?.item.outputs.length === 1,
  "The function must take no arguments and declare one return value, such as oracle() view returns (address).",
);

/** Counts changes of critical settings. */
export const configurationChange = defineMeter({
  type: "configuration_change",
  title: "Critical settings",
  example: { functions: ["oracle() view returns (address)"] },
  about:
    "Counts changes of critical settings: events about peers, validators, relayers, signers and thresholds of bridges, minters, price oracles and collateral factors of lending markets, and the rules of governors; further events of the contract in `events`; and changes of what the functions in `functions` return, which need no event. A function that changes three times within a day shows no setting and is left out; so is a number that changes in the first hour.",
  unit: "changes",
  isOccurrence: true,
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: z.strictObject({
    events: z.array(eventText).max(40).optional().describe("Further events that change a setting"),
    functions: z
      .array(getterText)
      .max(16)
      .optional()
      .describe("Functions without arguments that return a setting, with their return type"),
  }),
  needs: ["state", "logs"],
  needsOf: ({ functions = [] }) => (functions.length > 0 ? ["state", "logs"] : ["logs"]),
  events: ({ events }, { address }) => [{ address, topics: eventsOf(events).topics() }],
  declaredEvents: ({ events }): readonly CanonicalItem[] => eventsOf(events).all(),
  aggregation: "count",

  measure({ events: further }, { events }, { address }, previous) {
    // The poll after an event learns the values that the event has set.
    return selectEvents(events, address, eventsOf(further)).map((event) =>
      eventReading(event, 1, keepMoves(previous)),
    );
  },

  reads({ functions = [] }, { address }) {
    return functions.map((declaration) => readCall(address, declaration));
  },

  interpret({ functions = [] }, results, _subject, { time, previous }) {
    return readingOrProblem(() => advanceSettings(valuesFrom(functions, results), previous, time));
  },

  describe(_config, { reading, words }) {
    const [change] = (reading?.evidence?.changed ?? []) as SettingChange[];
    if (change)
      return `${change.name}() changed: ${stateText(change.from, words)} → ${stateText(change.to, words)}`;
    const decoded = decodedOf(reading);
    const what = decoded ? `setting changed: ${decodedText(decoded, words)}` : "a critical setting changed";
    return `${what}${senderText(reading, words)}`;
  },
});

const standard = standardEvents(settingEvents);
const withFurther = memoize(1_000, (text: string) => standardEvents([...settingEvents, ...JSON.parse(text)]));

function eventsOf(further: readonly string[] = []): StandardEvents {
  return further.length === 0 ? standard : withFurther(JSON.stringify(further));
}
