import type { App } from "../../app.ts";
import type { Patience } from "../../lib/concurrency/patience.ts";
import type { TimedReading } from "../../meters/meter.ts";
import { amendEvent } from "../../store/engine/amend-event.ts";
import { findNames } from "../commit/add-names.ts";
import type { ChangeSet, Fired } from "../commit/change-set.ts";
import { describeEvent } from "../commit/new-event.ts";
import { describedReading } from "../evaluate/described-reading.ts";
import type { Cause, CauseSearches, PolledChange } from "./searches/cause-searches.ts";

/** How far back a change is searched if no reading before it is known. */
const searchedHeights = 1_000;

/** Events that were committed before the cause of their reading was found. */
export type LateCauses = { fired: Fired[]; reading: TimedReading; cause: Promise<Cause | undefined> }[];

/**
 * Adds the transaction that caused a change, and its sender, to the events that fired on polled state, which names neither. Returns
 * those whose search takes longer.
 */
export async function addCauses(
  searches: CauseSearches,
  changes: ChangeSet,
  patience: Patience,
): Promise<LateCauses> {
  const incomplete = changes.fired.flatMap((fired) => {
    const change = polledChange(fired);
    return change ? [{ fired, change }] : [];
  });
  const byReading = Map.groupBy(incomplete, ({ change }) => change.reading);
  const causes = searches.start([...byReading.values()].flatMap(([first]) => first?.change ?? []));
  const late: LateCauses = [];
  for (const [reading, events] of byReading) {
    const fired = events.map((one) => one.fired);
    const cause = causes.get(reading) ?? Promise.resolve(undefined);
    const found = await patience.resultOf(cause);
    if (!found) late.push({ fired, reading, cause });
    else {
      addTo(reading, found);
      for (const { event, evaluation } of fired)
        Object.assign(event, { tx_hash: reading.tx_hash }, describeEvent(evaluation));
    }
  }
  return late;
}

/** Amends stored events when the cause of their reading is found. Never rejects; a restart ends the searches. */
export async function amendLater(
  app: App,
  late: LateCauses,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const amendAll = async ({ fired, reading, cause }: LateCauses[number]) => {
    const found = await cause;
    if (!found) return;
    addTo(reading, found);
    for (const { event, evaluation } of fired) {
      const names = await findNames(app.db, evaluation);
      const { block_hash = null } = event;
      const stored = { id: ids.get(event.id) ?? event.id, block_hash, tx_hash: found.call.tx_hash };
      await amendEvent(app.db, { ...stored, ...describeEvent(evaluation, names) });
    }
    app.bus.publish({ topic: "stream.queued" });
  };
  const onError = (error: unknown) => app.log.warn({ err: error }, "an alert could not be amended");
  await Promise.all(late.map((one) => amendAll(one).catch(onError)));
}

/** The reading stays in memory, so that a later event on it has its cause too. */
function addTo(reading: TimedReading, { call, height }: Cause): void {
  reading.evidence = { ...reading.evidence, sender: call.from, slot: height };
  reading.tx_hash = call.tx_hash;
}

/** The change of polled state that an event is about; undefined if it is about something else. */
function polledChange(fired: Fired): PolledChange | undefined {
  const { reading, previous } = describedReading(fired.evaluation);
  const { target } = fired.rule;
  const { state, previous_state, sender } = reading?.evidence ?? {};
  const isPolled = reading?.tx_hash === null && sender === undefined;
  const isChange = typeof state === "string" && typeof previous_state === "string";
  if (!reading || !isPolled || !isChange || !target.meter.causesOf) return undefined;
  return { target, reading, after: previous?.height ?? reading.height - searchedHeights };
}
