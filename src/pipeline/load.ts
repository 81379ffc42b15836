import type { App } from "../app.ts";
import type { Chain } from "../chains/chain.ts";
import type { TimedReading } from "../meters/meter.ts";
import { listRuleStates } from "../store/rule-states.ts";
import { listNewestSamples, listSamples, type SampleRow } from "../store/samples.ts";
import { listWatchChanges, listWatched, newestWatchChange, type WatchRow } from "../store/watch.ts";
import { compileContract } from "./compile.ts";
import { lookBackSeconds, Memory } from "./memory.ts";
import type { RuleState } from "./rule-state.ts";
import { seriesIdOf, type WatchedContract } from "./watch-list.ts";

const pageSize = 2_000;
const firstId = "00000000-0000-0000-0000-000000000000";

/** The block that memory is to be as of. */
type Moment = { height: number; time: number };

/** What was read, and the height that it was read as of: memory cannot be rolled back below that. */
export type Loaded = { memory: Memory; watchVersion: number; height: number };

/** Reads into memory what a chain's engine needs as of a block: what is watched, where rules stand, what was measured. */
export async function loadMemory(app: App, chain: Chain, at: Moment): Promise<Loaded> {
  const memory = new Memory(chain);
  // Asked before the contracts are read: what changes meanwhile is then read again, never missed.
  const watchVersion = await newestWatchChange(app.db, chain.chain);
  for (const { rule_id, state } of await listRuleStates(app.db, chain.chain, at.height)) {
    memory.setState(rule_id, state as RuleState);
  }
  for (let after = firstId; ; ) {
    const rows = await listWatched(app.db, chain.chain, after, pageSize);
    await takeIn(app, memory, chain, rows, at);
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return { memory, watchVersion, height: at.height };
    after = last.id;
  }
}

/** Brings memory up to date with what people changed since. */
export async function followChanges(app: App, loaded: Loaded, chain: Chain, at: Moment): Promise<void> {
  const { ids, rows, newest } = await listWatchChanges(app.db, chain.chain, loaded.watchVersion);
  const gone = new Set(ids);
  for (const row of rows) gone.delete(row.id);
  for (const id of gone) loaded.memory.watchList.remove(id);
  await takeIn(app, loaded.memory, chain, rows, at);
  loaded.watchVersion = newest;
}

async function takeIn(app: App, memory: Memory, chain: Chain, rows: WatchRow[], at: Moment): Promise<void> {
  const contracts = rows.map((row) => compileContract(chain, row));
  await fillSeries(app, memory, contracts, at);
  for (const contract of contracts) memory.watch(contract, at.time);
}

/** Reads what was measured, as far back as any rule looks, into series that are not in memory yet. */
async function fillSeries(app: App, memory: Memory, contracts: WatchedContract[], at: Moment): Promise<void> {
  const wanted = new Map<string, number>();
  for (const target of contracts.flatMap(({ targets }) => targets)) {
    want(wanted, target.id, memory.slackSeconds);
    for (const rule of target.rules)
      want(wanted, seriesIdOf(rule), lookBackSeconds(rule) + memory.slackSeconds);
  }
  const missing = [...wanted.keys()].filter((series_id) => memory.series(series_id).isEmpty);
  if (missing.length === 0) return;
  const isMissing = new Set(missing);
  const longest = Math.max(...wanted.values());
  // State is compared with what was read last, which may be long ago.
  const compared = contracts.flatMap(({ targets }) =>
    targets.filter(({ meter }) => meter.reads).map(({ id }) => id),
  );
  const old = await listNewestSamples(
    app.db,
    compared.filter((id) => isMissing.has(id)),
    at.height,
  );
  for (const row of old) if (row.time <= at.time - longest) memory.series(row.series_id).add(toReading(row));
  for (const row of await listSamples(app.db, missing, at.time - longest, at.height)) {
    memory.series(row.series_id).add(toReading(row));
  }
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
