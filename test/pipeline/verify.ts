import { sql } from "kysely";
import type { Hex } from "viem";
import { expect } from "vitest";
import type { Block } from "../../src/chains/block.ts";
import { retainedBlocks } from "../../src/store/engine/blocks.ts";
import type { Db } from "../../src/store/open-store.ts";
import { accountOf } from "../simchain/state.ts";
import { pathTo, plainBlock, type SimBlock } from "../simchain/tree.ts";
import type { SimRule, Watched } from "../simchain/watch.ts";
import { byIdentity, type Episode, expectedEpisodes, hitsOf } from "./oracle.ts";

/** The simulated chain, followed from the block after `startHeight`. */
export type Truth = {
  tip: SimBlock;
  startHeight: number;
  /** The height above which events are watched; `startHeight` by default. */
  countedAbove?: number;
  watched: Watched;
  chain?: string;
  logIndexOf?: LogIndexOf | undefined;
  /** True if blocks without watched events may have been left out, so that time advances at the stored blocks only. */
  isSparse?: boolean;
};

/** How a node numbers the logs of a block, which differs from their order on some chains. */
type LogIndexOf = (index: number) => number;

type EventRow = {
  id: string;
  rule_id: string;
  status: string;
  fired_at: Date;
  tx_hash: string | null;
  resolved_at: Date | null;
  held_for: string | null;
  log_index: number | null;
  is_occurrence: boolean;
  group_value: string | null;
  sender: string | null;
};

/** Compares everything that the engine wrote with the simulated chain: nothing is missing, nothing is duplicated. */
export async function verifyStore(db: Db, truth: Truth): Promise<{ events: number }> {
  const { tip, startHeight, watched, chain = "local", logIndexOf = (index) => index, isSparse } = truth;
  const { countedAbove = startHeight } = truth;
  const whole = pathTo(tip).filter(({ height }) => height > startHeight);
  const counted = whole.filter(({ height }) => height > countedAbove).map(plainBlockOnce);
  const stored = isSparse ? await storedHeights(db, chain) : undefined;
  const isObserved = ({ height }: { height: number }) => stored?.has(height) ?? true;
  // The block before is stored too, until enough blocks follow it.
  const path = pathTo(tip).filter((block) => block.height >= startHeight && isObserved(block));
  const { rules, balance } = watched;
  // Samples first: a difference in them explains one in the events.
  await verifyCounts(db, rules, (rule) =>
    hitsOf(counted, rule).map((hit) => ({ ...hit, log_index: logIndexOf(hit.log_index) })),
  );
  const numberLog = (episode: Episode) => ({
    ...episode,
    log_index: episode.log_index === null ? null : logIndexOf(episode.log_index),
  });
  const events = await listEvents(db, rules);
  const notRetracted = events.filter(({ status }) => status !== "retracted");
  expect(notRetracted.map(toEpisode).sort(byIdentity)).toEqual(
    expectedEpisodes(counted.filter(isObserved), rules).map(numberLog).sort(byIdentity),
  );
  verifySenders(notRetracted, whole);
  await verifyNotices(db, events);
  await verifyBalance(db, pathTo(tip), balance);
  await verifyBlocks(db, path, chain);
  await verifyStates(db, notRetracted, { height: tip.height, chain });
  return { events: notRetracted.length };
}

/** The heights of the stored blocks. */
export async function storedHeights(db: Db, chain: string): Promise<Set<number>> {
  const { rows } = await sql<{ height: string }>`
    select height from chain_blocks where chain = ${chain}`.execute(db);
  return new Set(rows.map(({ height }) => Number(height)));
}

/** A long run verifies the same blocks many times. */
const plainBlocks = new WeakMap<SimBlock, Block>();

function plainBlockOnce(block: SimBlock): Block {
  const known = plainBlocks.get(block) ?? plainBlock(block);
  plainBlocks.set(block, known);
  return known;
}

async function listEvents(db: Db, rules: SimRule[]): Promise<EventRow[]> {
  const ids = rules.map(({ id }) => id);
  const { rows } = await sql<EventRow>`
    select id, rule_id, status, fired_at, tx_hash, resolved_at, held_for, log_index, is_occurrence, group_value,
      explanation::jsonb->'evidence'->>'sender' as sender from alert_events
    where rule_id = any(${ids}::uuid[])`.execute(db);
  const { rows: duplicates } = await sql`
    select rule_id, observation from alert_events where rule_id = any(${ids}::uuid[])
    group by rule_id, observation having count(*) > 1`.execute(db);
  expect(duplicates).toEqual([]);
  return rows;
}

/** An event names the sender of its transaction, unless the nodes did not return the transaction in time. */
function verifySenders(events: EventRow[], blocks: SimBlock[]): void {
  const senders = new Map(
    blocks.flatMap(({ transactions }) => transactions.map(({ hash, from }) => [hash, from])),
  );
  const named = events.filter(({ tx_hash, sender }) => tx_hash !== null && sender !== null);
  expect(named.map(({ sender }) => sender)).toEqual(named.map(({ tx_hash }) => senders.get(tx_hash as Hex)));
}

/** Every notified event that was retracted has one notice of retraction, and no other event has a second notice. */
async function verifyNotices(db: Db, events: EventRow[]): Promise<void> {
  const { rows } = await sql<{ event_id: string; open: number }>`
    select event_id, (count(*) filter (where kind = 'fired') - count(*) filter (where kind = 'retracted'))::int as open
    from alert_notices group by event_id`.execute(db);
  const open = new Map(rows.map((row) => [row.event_id, row.open]));
  const actual = events.map(({ id, status, held_for }) => ({
    id,
    status,
    held_for,
    open: open.get(id) ?? 0,
  }));
  const expected = actual.map((one) => ({
    ...one,
    open: one.status === "retracted" || one.held_for !== null ? 0 : 1,
  }));
  expect(actual).toEqual(expected);
}

/** There is exactly one sample per log of the chain: every block was applied once. */
async function verifyCounts(
  db: Db,
  rules: SimRule[],
  hits: (rule: Pick<SimRule, "address" | "topic" | "amount">) => ReturnType<typeof hitsOf>,
): Promise<void> {
  const series = new Map(
    rules.flatMap((rule) => [
      [rule.series_id, rule],
      [rule.target_id, { ...rule, amount: 0n }],
    ]),
  );
  for (const [series_id, rule] of series) {
    const { rows } = await sql<{ sample: string }>`
      select concat_ws(':', height, evidence->>'tx_hash', evidence->>'log_index') as sample
      from samples where series_id = ${series_id} order by height, position`.execute(db);
    expect(rows.map(({ sample }) => sample)).toEqual(
      hits(rule).map(({ height, tx_hash, log_index }) => `${height}:${tx_hash}:${log_index}`),
    );
  }
  const { rows: duplicates } = await sql`
    select series_id, height, position from samples
    group by series_id, height, position having count(*) > 1`.execute(db);
  expect(duplicates).toEqual([]);
}

/** The time of state readings depends on the start of the engine; the value at a block does not. */
async function verifyBalance(db: Db, path: SimBlock[], { series_id, address }: Watched["balance"]) {
  const { rows } = await sql<{ height: string; value: number }>`
    select height, value from samples where series_id = ${series_id} order by height`.execute(db);
  const expected = rows.map(({ height }) => {
    const block = path[Number(height)];
    return { height, value: block ? Number(accountOf(block.state, address).balance) / 1e18 : Number.NaN };
  });
  expect(rows.map(({ value }) => value.toPrecision(12))).toEqual(
    expected.map(({ value }) => value.toPrecision(12)),
  );
  expect(new Set(rows.map(({ height }) => height)).size).toBe(rows.length);
}

/** A branch that is shorter than the one it replaces leaves fewer stored blocks, until it has grown. */
const maxShortening = 64;

/** The stored blocks are the newest of the chain without a gap, and the cursor is at its head. */
async function verifyBlocks(db: Db, path: SimBlock[], chain: string): Promise<void> {
  const { rows } = await sql<{ height: string; hash: string }>`
    select height, hash from chain_blocks where chain = ${chain} order by height`.execute(db);
  expect(rows.length).toBeGreaterThanOrEqual(Math.min(path.length, retainedBlocks - maxShortening));
  expect(rows).toEqual(
    path.slice(-rows.length).map(({ height, hash }) => ({ height: String(height), hash })),
  );
  const { rows: cursors } = await sql<{ height: string; hash: string }>`
    select height, hash from chain_cursors where chain = ${chain}`.execute(db);
  expect(cursors).toEqual(rows.slice(-1));
}

/** Exactly the firing rules have an open event. */
async function verifyStates(
  db: Db,
  notRetracted: EventRow[],
  { height, chain }: { height: number; chain: string },
): Promise<void> {
  const { rows } = await sql<{ rule_id: string; height: string; event_id: string | null; phase: string }>`
    select distinct on (rule_id, group_key) rule_id, height, state->>'event_id' as event_id, state->>'phase' as phase
    from rule_states where chain = ${chain} order by rule_id, group_key, height desc`.execute(db);
  const firing = rows.filter(({ phase }) => phase === "firing");
  const open = notRetracted.filter(
    ({ resolved_at, is_occurrence }) => !is_occurrence && resolved_at === null,
  );
  expect(firing.map(({ rule_id, event_id }) => `${rule_id} ${event_id}`).sort()).toEqual(
    open.map(({ rule_id, id }) => `${rule_id} ${id}`).sort(),
  );
  expect(rows.filter((row) => Number(row.height) > height)).toEqual([]);
}

function toEpisode(event: EventRow): Episode {
  const { rule_id, fired_at, tx_hash, resolved_at, is_occurrence, log_index, group_value: group } = event;
  return {
    rule_id,
    fired_at: fired_at.getTime() / 1000,
    tx_hash,
    resolved_at: resolved_at && resolved_at.getTime() / 1000,
    log_index: is_occurrence ? log_index : null,
    group,
  };
}
