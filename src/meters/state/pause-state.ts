import { z } from "zod";
import type { Emitted } from "../../chains/activity.ts";
import { functionText } from "../config-filters.ts";
import { eventReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";
import { selectEvents, standardEvents } from "../standard-events.ts";
import { readCall, readingOrProblem, resultOf } from "../state-results.ts";
import { decodedOf, senderText } from "../words.ts";
import { pauseDeclarations, pauses, unpauses } from "./pause-events.ts";

const pausedFunction = "paused() view returns (bool)";

const pauseEvents = standardEvents(pauses);
const unpauseEvents = standardEvents(unpauses);
const allEvents = standardEvents(pauseDeclarations);

/** Measures whether the contract is paused. */
export const pauseState = defineMeter({
  type: "pause_state",
  title: "Pause state",
  about:
    "1 while the contract is paused, else 0, from its pause events and from paused() or another function.",
  unit: "0 or 1",
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: z.strictObject({
    function: functionText
      .optional()
      .describe("The function that returns whether the contract is paused; paused() by default"),
    events_only: z
      .boolean()
      .optional()
      .describe("True for a contract that has pause events and no function to read"),
  }),
  needs: ["state", "logs"],
  events: (_config, { address }) => [{ address, topics: allEvents.topics() }],
  declaredEvents: () => allEvents.all(),
  aggregation: "last",
  isSetting: true,

  measure(_config, { events }, { address }) {
    return selectEvents(events, address, allEvents).map((event) =>
      eventReading(event, isPause(event) ? 1 : 0),
    );
  },

  reads(config, { address }) {
    return config.events_only ? [] : [readCall(address, declarationOf(config))];
  },

  interpret(config, [result], _subject, { previous }) {
    return readingOrProblem(() => {
      // The newest event says what holds until the next one.
      if (config.events_only)
        return { value: previous?.value ?? 0, evidence: { paused: previous?.value === 1 } };
      const { $0: paused } = resultOf(result, declarationOf(config));
      return { value: paused ? 1 : 0, evidence: { paused } };
    });
  },

  describe(_config, { reading, value, words }) {
    const decoded = decodedOf(reading);
    const account = decoded?.args.$0;
    const isNamed = typeof account === "string" && /^(Paused|Unpaused)$/.test(decoded?.name ?? "");
    const by = isNamed ? ` by ${words.address(account)}` : senderText(reading, words);
    return `${value === 1 ? "paused" : "unpaused"}${by}`;
  },
});

function declarationOf({ function: given }: { function?: string | undefined }): string {
  return given ? `${given.slice(0, given.indexOf(")") + 1)} view returns (bool)` : pausedFunction;
}

function isPause({ topics, decoded }: Emitted): boolean {
  const topic = topics[0] ?? "";
  if (pauseEvents.get(topic)) return true;
  if (unpauseEvents.get(topic)) return false;
  return Object.values(decoded?.args ?? {}).includes(true);
}
