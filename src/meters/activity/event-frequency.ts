import { z } from "zod";
import { eventsMatching, eventText, expressionText } from "../config-filters.ts";
import { eventReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";

/** How often the contract emits one event. */
export const eventFrequency = defineMeter({
  type: "event_frequency",
  title: "Events",
  about: "Counts the logs of one event that the contract emits.",
  unit: "events",
  families: ["evm"],
  instances: "many",
  config: z.strictObject({
    event_signature: eventText.describe("The event, such as Transfer(address,address,uint256)"),
    filter: expressionText.optional().describe("Count only events whose arguments are so"),
  }),
  needs: ["logs"],
  aggregation: "count",

  measure({ event_signature, filter }, { events }, { address }) {
    return eventsMatching(events, address, event_signature, filter).map((event) => eventReading(event, 1));
  },
});
