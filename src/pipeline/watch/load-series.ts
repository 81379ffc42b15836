import type { App } from "../../app.ts";
import { listMinutes, listNewestSamples, listSamples } from "../../store/engine/samples.ts";
import type { BlockPoint } from "../block-point.ts";
import type { EngineState } from "./engine-state.ts";
import { fillGroups } from "./load-groups.ts";
import { lookbackOf, lookbackSeconds } from "./lookback.ts";
import { toReading } from "./reading-of-sample.ts";
import { seriesIdOf, seriesOf, type WatchedContract } from "./watch-list.ts";

/** Loads samples, as far back as any rule looks, into the series that are empty or do not reach as far. */
export async function fillSeries(
  app: App,
  engine: EngineState,
  contracts: WatchedContract[],
  position: BlockPoint,
): Promise<void> {
  const rules = contracts.flatMap(({ targets }) => targets.flatMap((target) => target.rules));
  await fillGroups(
    app.db,
    engine,
    rules.filter(({ group_by }) => group_by),
    position,
  );
  const needed = new Map<string, number>();
  for (const target of contracts.flatMap(({ targets }) => targets)) {
    needSeconds(
      needed,
      target.series_id,
      (target.meter.windowSeconds?.(target.config) ?? 0) + engine.slackSeconds,
    );
    for (const rule of target.rules) {
      if (!rule.group_by) needSeconds(needed, seriesIdOf(rule), lookbackSeconds(rule) + engine.slackSeconds);
      for (const { part, target: other } of rule.others)
        needSeconds(needed, other.series_id, lookbackOf(part) + engine.slackSeconds);
    }
  }
  const missing = [...needed.keys()].filter((series_id) => {
    const series = engine.series(series_id);
    return series.isEmpty || !series.reaches(needed.get(series_id) ?? 0);
  });
  const compared = new Set(comparedSeries(contracts));
  const counted = new Set(countedSeries(contracts));
  // Series with similar windows are read together, so that one long window does not load long histories of all others.
  const batches = Map.groupBy(missing, (series_id) => Math.ceil(Math.log2(needed.get(series_id) ?? 1)));
  for (const ids of batches.values()) {
    const seconds = ids.reduce((max, id) => Math.max(max, needed.get(id) ?? 0), 0);
    const past = ids.filter((id) => compared.has(id));
    const [minutes, singles] = [ids.filter((id) => counted.has(id)), ids.filter((id) => !counted.has(id))];
    await addPast(app, engine, singles, past, { height: position.height, from: position.time - seconds });
    await addMinutes(app, engine, minutes, position, position.time - seconds);
  }
}

/** Loads samples after a time into series, and for compared series the newest sample before it. */
async function addPast(
  app: App,
  engine: EngineState,
  series_ids: string[],
  compared: string[],
  { height, from }: { height: number; from: number },
): Promise<void> {
  const rows = [
    ...(await listNewestSamples(app.db, compared, from, height)),
    ...(await listSamples(app.db, series_ids, from, height)),
  ];
  const older = Map.groupBy(rows, ({ series_id }) => series_id);
  for (const [series_id, part] of older) engine.series(series_id).addOlder(part.map(toReading));
}

/** Loads series that are counted by the minute: single samples of the last hours, minutes before that. */
async function addMinutes(
  app: App,
  engine: EngineState,
  series_ids: string[],
  position: BlockPoint,
  from: number,
): Promise<void> {
  if (series_ids.length === 0) return;
  const singlesFrom = Math.floor((position.time - engine.foldAfterSeconds) / 60) * 60;
  await addPast(app, engine, series_ids, [], {
    height: position.height,
    from: Math.max(from, singlesFrom - 1),
  });
  const rows = await listMinutes(app.db, series_ids, {
    after: from,
    before: singlesFrom,
    upTo: position.height,
  });
  for (const [series_id, group] of Map.groupBy(rows, (row) => row.series_id)) {
    engine.series(series_id).addOlder(group.map(({ series_id: _, ...minute }) => minute));
  }
}

function countedSeries(contracts: WatchedContract[]): string[] {
  const targets = contracts.flatMap((contract) => contract.targets);
  return targets.filter(({ meter }) => meter.baseline).flatMap(seriesOf);
}

/** Returns the series whose readings are compared with the previous one, which may be old. */
function comparedSeries(contracts: WatchedContract[]): string[] {
  const targets = contracts.flatMap((contract) => contract.targets);
  const changing = targets
    .flatMap((target) => target.rules)
    .filter(({ condition }) => condition.operator.startsWith("change"));
  const changingOthers = targets
    .flatMap(({ rules }) => rules.flatMap(({ others }) => others))
    .filter(({ part }) => part.condition.operator.startsWith("change"))
    .map(({ target }) => target.series_id);
  const polled = targets.filter(({ meter }) => meter.reads);
  return [
    ...new Set([...polled.map(({ series_id }) => series_id), ...changing.map(seriesIdOf), ...changingOthers]),
  ];
}

function needSeconds(needed: Map<string, number>, series_id: string, seconds: number): void {
  needed.set(series_id, Math.max(seconds, needed.get(series_id) ?? 0));
}
