import { z } from "zod";
import type { Hex } from "../../chains/block.ts";
import { memoize } from "../../lib/caching/memoize.ts";
import { eventText } from "../config-filters.ts";
import { eventReading } from "../evidence.ts";
import { defineMeter, type Reading, type TimedReading } from "../meter.ts";
import { type StandardEvents, selectEvents, standardEvents } from "../standard-events.ts";
import { decodedOf, decodedText, senderText } from "../words.ts";

/** What came within a week is not rare. */
const weekSeconds = 7 * 86_400;
const topicText = z.string().regex(/^0x[0-9a-f]{64}$/, "A topic is 0x and 64 lower-case hexadecimal digits.");

/** Counts events that a contract hardly ever emits, whatever their names. */
export const rareEvent = defineMeter({
  type: "rare_event",
  title: "Rare events",
  example: { events: ["NewRouteAdded(uint32 routeId, address route)"] },
  about:
    "Counts events that the contract did not emit in its past: those in `events`, and those whose first topic is in `topics`, of contracts without a published source. An event counts as 0 if the same one came within a week before.",
  unit: "events",
  isOccurrence: true,
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: z
    .strictObject({
      events: z.array(eventText).max(60).optional().describe("Events that are rare"),
      topics: z
        .array(topicText)
        .max(300)
        .optional()
        .describe("First topics of rare events without a declaration"),
    })
    .refine(({ events, topics }) => events?.length || topics?.length, "Name an event or a topic."),
  needs: ["logs"],
  events: ({ events, topics = [] }, { address }) => [
    { address, topics: [...declared(events).topics(), ...(topics as Hex[])] },
  ],
  aggregation: "count",

  measure({ events: named, topics = [] }, { events, time }, { address }, previous) {
    const [declarations, undeclared] = [declared(named), new Set(topics)];
    const lastSeen = lastWeekOf(previous, time);
    const readings = events.flatMap((event): Reading[] => {
      const topic = event.topics[0] ?? "";
      const isDeclared = declarations.get(topic) !== undefined;
      if (event.address !== address || !(isDeclared || undeclared.has(topic))) return [];
      const [shown = event] = isDeclared ? selectEvents([event], address, declarations) : [];
      const isRare = lastSeen[keyOf(topic)] === undefined;
      lastSeen[keyOf(topic)] = time;
      return [eventReading(shown, isRare ? 1 : 0, { topic })];
    });
    // The next block is compared with the newest reading. A block may have ten thousand of them.
    const newest = readings.pop();
    return newest ? [...readings, { ...newest, evidence: { last_seen: lastSeen, ...newest.evidence } }] : [];
  },

  describe(_config, { reading, words }) {
    const decoded = decodedOf(reading);
    const topic = words.address(reading?.evidence?.topic);
    const what = decoded ? decodedText(decoded, words) : `an event of unknown name (topic ${topic})`;
    return `${what}${senderText(reading, words)}, which the contract hardly ever emits`;
  },
});

const parsed = memoize(1_000, (text: string) => standardEvents(JSON.parse(text)));

function declared(events: readonly string[] = []): StandardEvents {
  return parsed(JSON.stringify(events));
}

/** When each event of the last week came last, by the beginning of its topic, so that hundreds of them fit into the evidence. */
function lastWeekOf(previous: TimedReading | undefined, time: number): Record<string, number> {
  const times = (previous?.evidence?.last_seen ?? {}) as Record<string, number>;
  return Object.fromEntries(Object.entries(times).filter(([, seenAt]) => seenAt > time - weekSeconds));
}

function keyOf(topic: string): string {
  return topic.slice(0, 18);
}
