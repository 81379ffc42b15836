import { sql } from "kysely";
import { expect } from "vitest";
import type { Block } from "../../src/chains/block.ts";
import { seriesIdFor } from "../../src/store/engine/series-id.ts";
import type { Db } from "../../src/store/open-store.ts";
import { byIdentity } from "../pipeline/oracle.ts";
import type { ExpectedHistory } from "./expected-history.ts";
import { balanceAfter } from "./simulated-nodes.ts";

/** What the world watches. */
export type Watched = {
  contract_id: string;
  address: string;
  target_id: string;
  balance: WatchedBalance | undefined;
};

/** A balance, with a rule that fires while it is above the threshold and one about each change. */
export type WatchedBalance = { target_id: string; above_rule: string; change_rule: string };

export const balanceWindow = 300;
/** Half of all simulated balances are above this. */
export const balanceThreshold = 2 ** 31;

type Event = {
  id: string;
  rule_id: string;
  rule_version: number;
  status: string;
  fired_at: Date;
  block_number: string;
  tx_hash: string | null;
  resolved_at: Date | null;
  held_for: string | null;
  log_index: number | null;
  is_occurrence: boolean;
  group_value: string | null;
};

/** Compares what the engines stored with the expected history: samples first, because they explain the rest. */
export async function compareStore(
  db: Db,
  history: ExpectedHistory,
  contracts: Watched[],
  canonical: Block[],
): Promise<void> {
  await compareSamples(db, history, contracts);
  await compareBlocks(db, canonical);
  const events = await listEvents(db);
  for (const { balance, contract_id } of contracts) {
    if (!balance) continue;
    const readings = await compareBalance(db, balance, canonical);
    compareBalanceEvents(balance, readings, {
      canonical,
      observed: history.observed.get(contract_id) ?? [],
      events,
    });
  }
  const ofHistory = events.filter(({ rule_id }) => history.ruleIds.includes(rule_id));
  compareEvents(history, ofHistory);
  await compareStates(db, history, ofHistory);
  await compareNotices(db, events);
}

async function compareSamples(db: Db, history: ExpectedHistory, contracts: Watched[]): Promise<void> {
  for (const rule_id of history.ruleIds) {
    const current = history.currentVersion(rule_id);
    if (!current) continue;
    const contract = contracts.find(({ address }) => address === current.rule.address) as Watched;
    const series_id = current.isMatching ? seriesIdFor(rule_id, current.number) : contract.target_id;
    const { rows } = await sql<{ sample: string }>`
      select concat_ws(':', height, evidence->>'tx_hash', evidence->>'log_index') as sample
      from samples where series_id = ${series_id} order by height, position`.execute(db);
    expect({ series_of: rule_id, samples: rows.map(({ sample }) => sample) }).toEqual({
      series_of: rule_id,
      samples: history
        .samplesOf(rule_id)
        .map(({ height, tx_hash, log_index }) => `${height}:${tx_hash}:${log_index}`),
    });
  }
}

type BalanceReading = { height: number; value: number };

/** When a balance is read depends on delays; its value depends on the block alone. */
async function compareBalance(
  db: Db,
  { target_id }: WatchedBalance,
  canonical: Block[],
): Promise<BalanceReading[]> {
  const { rows } = await sql<BalanceReading>`
    select height::int, value from samples where series_id = ${target_id} order by height`.execute(db);
  const heights = new Set(rows.map(({ height }) => height));
  const read = canonical.filter(({ height }) => heights.has(height));
  expect(rows).toEqual(
    read.map(({ height, hash }) => ({ height, value: Number(balanceAfter(hash) / 10n ** 18n) })),
  );
  return rows;
}

/** Events depend on the readings alone, whenever these were applied and whatever was rolled back since. */
function compareBalanceEvents(
  { above_rule, change_rule }: WatchedBalance,
  readings: BalanceReading[],
  { canonical, observed, events }: { canonical: Block[]; observed: Block[]; events: Event[] },
): void {
  const changes = events.filter(({ rule_id, status }) => rule_id === change_rule && status !== "retracted");
  expect(changes.map(({ block_number }) => Number(block_number)).sort((a, b) => a - b)).toEqual(
    readings
      .filter(({ value }, index) => index > 0 && value !== readings[index - 1]?.value)
      .map(({ height }) => height),
  );
  const since = readings.at(-1)?.height ?? 0;
  // A rollback during a pause retracts what no evaluation replaces before the next reading.
  if (!canonical.every((block) => block.height <= since || observed.includes(block))) return;
  // Blocks may share a time, and of the readings of one time each counts while it is in the window.
  const timeOf = (height: number) => canonical.find((block) => block.height === height)?.time ?? 0;
  const isInWindow = timeOf(since) > (canonical.at(-1)?.time ?? 0) - balanceWindow;
  const newest = isInWindow
    ? readings.filter(({ height }) => timeOf(height) === timeOf(since))
    : readings.slice(-1);
  const open = events.filter(({ rule_id, status }) => rule_id === above_rule && status === "firing");
  expect({ newest, open: open.length }).toEqual({
    newest,
    open: newest.some(({ value }) => value > balanceThreshold) ? 1 : 0,
  });
}

async function compareBlocks(db: Db, canonical: Block[]): Promise<void> {
  const { rows } = await sql<{ height: string; hash: string }>`
    select height, hash from chain_blocks order by height`.execute(db);
  const newest = rows.length > 0 ? canonical.slice(-rows.length) : [];
  expect(rows).toEqual(newest.map(({ height, hash }) => ({ height: String(height), hash })));
}

async function listEvents(db: Db): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select id, rule_id, rule_version, status, fired_at, block_number, tx_hash, resolved_at, held_for, log_index,
      is_occurrence, group_value
    from alert_events`.execute(db);
  return rows;
}

function compareEvents(history: ExpectedHistory, events: Event[]): void {
  const versions = new Map(history.ruleIds.map((id) => [id, history.currentVersion(id)?.number]));
  const standing = events.filter(({ status }) => status !== "retracted");
  const [current, ended] = [true, false].map((isCurrent) =>
    standing.filter(({ rule_id, rule_version }) => (versions.get(rule_id) === rule_version) === isCurrent),
  ) as [Event[], Event[]];
  const expected = history.ruleIds.flatMap((id) => history.currentEpisodes(id));
  expect(current.map(toEpisode).sort(byIdentity)).toEqual(
    expected.map(({ height: _, ...one }) => one).sort(byIdentity),
  );
  // An episode that was open when its rule changed is resolved by the change. An occurrence has nothing to resolve.
  expect(
    ended
      .map(
        ({ rule_id, rule_version, fired_at, resolved_at }) =>
          `${rule_id} ${rule_version} ${fired_at.getTime() / 1000} ${resolved_at ? "resolved" : "open"}`,
      )
      .sort(),
  ).toEqual(
    history
      .endedEpisodes()
      .map(
        ({ rule_id, version, fired_at, log_index }) =>
          `${rule_id} ${version} ${fired_at} ${log_index === null ? "resolved" : "open"}`,
      )
      .sort(),
  );
}

function toEpisode({
  rule_id,
  fired_at,
  tx_hash,
  resolved_at,
  is_occurrence,
  log_index,
  group_value,
}: Event) {
  return {
    rule_id,
    fired_at: fired_at.getTime() / 1000,
    tx_hash,
    resolved_at: resolved_at && resolved_at.getTime() / 1000,
    log_index: is_occurrence ? log_index : null,
    group: group_value,
  };
}

/** A rule is firing if and only if its current version has an open event, and its state names that event. */
async function compareStates(db: Db, history: ExpectedHistory, events: Event[]): Promise<void> {
  const { rows } = await sql<{ state: string }>`
    select concat_ws(' ', s.rule_id, s.state->>'event_id') as state from (
      select distinct on (s.rule_id, s.group_key) s.rule_id, s.state from rule_states s
      join alert_rules r on r.id = s.rule_id and r.version = s.rule_version
      order by s.rule_id, s.group_key, s.height desc) s
    where s.state->>'phase' = 'firing' and s.rule_id = any(${history.ruleIds}::uuid[]) order by 1`.execute(
    db,
  );
  const open = events
    .filter(({ status }) => status === "firing" || status === "acknowledged")
    .filter(({ rule_id, rule_version }) => history.currentVersion(rule_id)?.number === rule_version)
    .map(({ rule_id, id }) => `${rule_id} ${id}`);
  expect(rows.map(({ state }) => state)).toEqual(open.sort());
}

/**
 * Each event that people see has one notice more of its start than of its retraction, and a resolved one has a notice of its
 * end.
 */
async function compareNotices(db: Db, events: Event[]): Promise<void> {
  const { rows } = await sql<{ event_id: string; open: number; ends: number }>`
    select event_id, (count(*) filter (where kind = 'fired') - count(*) filter (where kind = 'retracted'))::int as open,
      (count(*) filter (where kind = 'resolved'))::int as ends
    from alert_notices group by event_id`.execute(db);
  const notices = new Map(rows.map((row) => [row.event_id, row]));
  for (const { id, status, held_for } of events) {
    const { open = 0, ends = 0 } = notices.get(id) ?? {};
    const isShown = status !== "retracted" && held_for === null;
    expect({ id, status, held_for, open }).toEqual({ id, status, held_for, open: isShown ? 1 : 0 });
    if (isShown && status === "resolved") expect({ id, ends }).toEqual({ id, ends: 1 });
  }
}

/** True if there are notices that are no deliveries yet. */
export async function hasWaitingNotices(db: Db): Promise<boolean> {
  const { rows } = await sql`select id from alert_notices where fanned_out_at is null limit 1`.execute(db);
  return rows.length > 0;
}

/** No notice went to a channel twice, and the newest start of every event that people see went to its channel. */
export async function compareDeliveries(db: Db): Promise<void> {
  expect(await hasWaitingNotices(db)).toBe(false);
  const { rows: repeated } = await sql`
    select notice_id, channel_id from delivery_notices group by 1, 2 having count(*) > 1`.execute(db);
  expect(repeated).toEqual([]);
  const { rows: lost } = await sql`
    select e.id from alert_events e where e.status <> 'retracted' and e.held_for is null and not exists (
      select 1 from delivery_notices d where d.notice_id = (
        select n.id from alert_notices n where n.event_id = e.id and n.kind = 'fired'
        order by n.occurrence desc limit 1))`.execute(db);
  expect(lost).toEqual([]);
}
