import { z } from "zod";
import { eventReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";
import { selectEvents, standardEvents } from "../standard-events.ts";
import { readCall, readingOrProblem, resultOf } from "../state-results.ts";
import { decodedOf, senderText } from "../words.ts";

const pausedFunction = "paused() view returns (bool)";

/** Pausable events of current and early OpenZeppelin versions. */
const pauses = ["Paused(address account)", "Paused()", "Pause()"];
const unpauses = ["Unpaused(address account)", "Unpaused()", "Unpause()"];
const pauseEvents = standardEvents(pauses);
const bothEvents = standardEvents([...pauses, ...unpauses]);

/** Measures whether the contract is paused. */
export const pauseState = defineMeter({
  type: "pause_state",
  title: "Pause state",
  about: "1 while the contract is paused, else 0, from its pause events and from paused().",
  unit: "0 or 1",
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: z.strictObject({}),
  needs: ["state", "logs"],
  events: (_config, { address }) => [{ address, topics: bothEvents.topics() }],
  aggregation: "last",

  measure(_config, { events }, { address }) {
    return selectEvents(events, address, bothEvents).map((event) =>
      eventReading(event, pauseEvents.get(event.topics[0] ?? "") ? 1 : 0),
    );
  },

  reads(_config, { address }) {
    return [readCall(address, pausedFunction)];
  },

  interpret(_config, [result]) {
    return readingOrProblem(() => {
      const { $0: paused } = resultOf(result, pausedFunction);
      return { value: paused ? 1 : 0, evidence: { paused } };
    });
  },

  describe(_config, { reading, value, words }) {
    const account = decodedOf(reading)?.args.$0;
    const by = typeof account === "string" ? ` by ${words.address(account)}` : senderText(reading, words);
    return `${value === 1 ? "paused" : "unpaused"}${by}`;
  },
});
