import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import type { TimedReading } from "../../meters/meter.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import { listRuleStates, listStatesOf } from "../../store/engine/rule-states.ts";
import { listMinutes, listNewestSamples, listSamples, type SampleRow } from "../../store/engine/samples.ts";
import {
  findAbi,
  findWatched,
  listWatchChanges,
  listWatched,
  newestWatchChange,
  type WatchRow,
} from "../../store/engine/watch.ts";
import { toState } from "../evaluate/rule-state.ts";
import { compileContract } from "./compile.ts";
import { EngineState, lookbackSeconds, seriesOf, singleSeconds } from "./engine-state.ts";
import { seriesIdOf, type WatchedContract } from "./watch-list.ts";

const pageSize = 2_000;
const firstId = "00000000-0000-0000-0000-000000000000";

/** The block that memory is to be as of. */
type Moment = { height: number; time: number };

/** What was read, and the height that it was read as of: memory cannot be rolled back below that. */
export type Loaded = { engine: EngineState; watchVersion: number; height: number };

/** Reads into memory what a chain's engine needs as of a block: what is watched, where rules stand, what was measured. */
export async function loadEngineState(app: App, chain: Chain, at: Moment): Promise<Loaded> {
  const engine = new EngineState(chain);
  // Asked before the contracts are read: what changes meanwhile is then read again, never missed.
  const watchVersion = await newestWatchChange(app.db, chain.chain);
  for (const { rule_id, state } of await listRuleStates(app.db, chain.chain, at.height)) {
    engine.setState(rule_id, toState(state));
  }
  for (let after = firstId; ; ) {
    const rows = await listWatched(app.db, chain.chain, after, pageSize);
    await addContract(app, engine, chain, rows, at);
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return { engine, watchVersion, height: at.height };
    after = last.id;
  }
}

/** Brings memory up to date with what people changed since. */
export async function applyConfigChanges(app: App, loaded: Loaded, chain: Chain, at: Moment): Promise<void> {
  const { ids, rows, newest } = await listWatchChanges(app.db, chain.chain, loaded.watchVersion);
  const gone = new Set(ids);
  for (const row of rows) gone.delete(row.id);
  for (const id of gone) loaded.engine.watchList.remove(id);
  // A rule that was changed begins anew, which its stored state says.
  const rule_ids = rows.flatMap(({ rules }) => rules.map(({ id }) => id));
  for (const { rule_id, state } of await listStatesOf(app.db, rule_ids, at.height)) {
    loaded.engine.setState(rule_id, toState(state));
  }
  for (const { id } of rows) {
    // Nobody followed its upgrades while it was not watched.
    if (!loaded.engine.watchList.contract(id)) loaded.engine.unread.set(id, at.time);
  }
  await addContract(app, loaded.engine, chain, rows, at);
  loaded.watchVersion = newest;
}

/** Has a contract read by the ABI of other code than is written yet; undefined says that it is not known which. */
export async function recompileContract(
  app: App,
  engine: EngineState,
  { id, org_id, subject: { chain } }: WatchedContract,
  code: Code | undefined,
  at: Moment,
): Promise<void> {
  const row = await findWatched(app.db, org_id, id);
  if (!row) return;
  const address = code?.implementation;
  const implementation_abi = address ? await findAbi(app.db, org_id, chain.chain, address) : null;
  await addContract(app, engine, chain, [{ ...row, implementation_abi, code: code ?? null }], at);
}

async function addContract(
  app: App,
  engine: EngineState,
  chain: Chain,
  rows: WatchRow[],
  at: Moment,
): Promise<void> {
  const contracts = rows.map((row) => compileContract(chain, row));
  await fillSeries(app, engine, contracts, at);
  for (const contract of contracts) engine.watch(contract, at.time);
}

/** Reads what was measured, as far back as any rule looks, into series that are not in memory yet, or not so far. */
async function fillSeries(
  app: App,
  engine: EngineState,
  contracts: WatchedContract[],
  at: Moment,
): Promise<void> {
  const wanted = new Map<string, number>();
  for (const target of contracts.flatMap(({ targets }) => targets)) {
    want(wanted, target.series_id, (target.meter.windowSeconds?.(target.config) ?? 0) + engine.slackSeconds);
    for (const rule of target.rules)
      want(wanted, seriesIdOf(rule), lookbackSeconds(rule) + engine.slackSeconds);
  }
  const missing = [...wanted.keys()].filter((series_id) => {
    const series = engine.series(series_id);
    return series.isEmpty || !series.reaches(wanted.get(series_id) ?? 0);
  });
  const compared = new Set(comparedSeries(contracts));
  const counted = new Set(countedSeries(contracts));
  // Those that look back about as far are read together: one long window must not bring in the past of everything.
  const alike = Map.groupBy(missing, (series_id) => Math.ceil(Math.log2(wanted.get(series_id) ?? 1)));
  for (const ids of alike.values()) {
    const seconds = ids.reduce((most, id) => Math.max(most, wanted.get(id) ?? 0), 0);
    const past = ids.filter((id) => compared.has(id));
    const [minutes, singles] = [ids.filter((id) => counted.has(id)), ids.filter((id) => !counted.has(id))];
    await addPast(app, engine, singles, past, { height: at.height, from: at.time - seconds });
    await addMinutes(app, engine, minutes, at, at.time - seconds);
  }
}

/** Puts into series what was measured after a time, and into those with a past the newest reading before it. */
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
  for (const [series_id, group] of older) engine.series(series_id).addOlder(group.map(toReading));
}

/** The same where minutes count: single readings of the last hours, and before that what each minute came to. */
async function addMinutes(
  app: App,
  engine: EngineState,
  series_ids: string[],
  at: Moment,
  from: number,
): Promise<void> {
  if (series_ids.length === 0) return;
  const singlesFrom = Math.floor((at.time - singleSeconds) / 60) * 60;
  await addPast(app, engine, series_ids, [], { height: at.height, from: Math.max(from, singlesFrom - 1) });
  const rows = await listMinutes(app.db, series_ids, { after: from, before: singlesFrom, upTo: at.height });
  for (const [series_id, group] of Map.groupBy(rows, (row) => row.series_id)) {
    engine.series(series_id).addOlder(group.map(({ series_id: _, ...minute }) => minute));
  }
}

function countedSeries(contracts: WatchedContract[]): string[] {
  const targets = contracts.flatMap((contract) => contract.targets);
  return targets.filter(({ meter }) => meter.scores).flatMap(seriesOf);
}

/** Those whose readings are compared with the one before, which may be long ago. */
function comparedSeries(contracts: WatchedContract[]): string[] {
  const targets = contracts.flatMap((contract) => contract.targets);
  const changing = targets
    .flatMap((target) => target.rules)
    .filter(({ condition }) => condition.operator.startsWith("change"));
  const polled = targets.filter(({ meter }) => meter.reads);
  return [...new Set([...polled.map(({ series_id }) => series_id), ...changing.map(seriesIdOf)])];
}

function want(wanted: Map<string, number>, series_id: string, seconds: number): void {
  wanted.set(series_id, Math.max(seconds, wanted.get(series_id) ?? 0));
}

/** The evidence in the store carries the coordinates of the reading as well. */
export function toReading({ height, time, value, subject, evidence }: SampleRow): TimedReading {
  const { tx_hash, position, log_index, ...rest } = (evidence ?? {}) as Record<string, unknown>;
  return {
    height,
    time,
    value,
    tx_hash: (tx_hash ?? null) as TimedReading["tx_hash"],
    position: (position ?? null) as number | null,
    ...(log_index !== undefined && { log_index: log_index as number }),
    ...(subject !== null && { subject }),
    evidence: rest,
  };
}
