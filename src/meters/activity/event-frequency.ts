import { z } from "zod";
import { eventFilter, eventsMatching, eventText, expressionText } from "../config-filters.ts";
import { eventReading } from "../evidence.ts";
import { timesText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { decodedOf, decodedText, nameIn, senderText } from "../words.ts";

/** Counts the logs of one event. */
export const eventFrequency = defineMeter({
  type: "event_frequency",
  title: "Events",
  example: {
    event_signature: "Transfer(address indexed from, address indexed to, uint256 value)",
    filter: "value >= 1000e18",
  },
  about: "Counts the logs of one event emitted by the contract. Each matching log is a reading of 1.",
  unit: "events",
  families: ["evm"],
  needsCode: true,
  instances: "many",
  config: z.strictObject({
    event_signature: eventText.describe("The event signature, such as Transfer(address,address,uint256)"),
    filter: expressionText
      .optional()
      .describe("An expression on the event arguments; only matching events are counted"),
  }),
  needs: ["logs"],
  events: ({ event_signature }, { address }) => eventFilter(address, event_signature),
  aggregation: "count",

  measuresEach: true,
  measure({ event_signature, filter }, { events }, { address }) {
    return eventsMatching(events, address, event_signature, filter).map((event) => eventReading(event, 1));
  },

  describe({ event_signature }, occasion) {
    const { reading, value, aggregation, words } = occasion;
    const decoded = decodedOf(reading);
    if (value === 1 && aggregation !== "rate" && decoded)
      return `${decodedText(decoded, words)}${senderText(reading, words)}`;
    return `${nameIn(event_signature)} emitted ${timesText(occasion)}`;
  },
});
