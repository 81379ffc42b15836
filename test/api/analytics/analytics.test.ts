import { sql } from "kysely";
import { expect, test } from "vitest";
import { findAnomalies } from "../../../src/jobs/find-anomalies.ts";
import { rollUp } from "../../../src/jobs/roll-up-samples.ts";
import { ensurePartition } from "../../../src/store/engine/partitions.ts";
import { insertSamples, type NewSample } from "../../../src/store/engine/samples.ts";
import type { Anomalies } from "../../../src/wire/analytics/analytics.ts";
import type { OracleFeed, Prices } from "../../../src/wire/analytics/oracle-feeds.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import type { Target } from "../../../src/wire/contracts/targets.ts";
import { harness, type Person } from "../../support/harness.ts";
import { addContract, addTarget, grant } from "../contracts/contract-steps.ts";
import { makeKeyClient } from "../orgs/keys.ts";
import { join, teamAdmin } from "../steps.ts";

const h = await harness();
const minute = 60;
const now = () => Math.floor(h.clock.now().getTime() / 60_000) * minute;

/** Records readings as the engine does: the samples, the target's last value and the chain's cursor. */
async function recordReadings(
  admin: Person,
  target: Target,
  readings: { time: number; value: number; evidence?: unknown }[],
  readUntil = now(),
): Promise<void> {
  const rows: NewSample[] = readings.map(({ time, value, evidence }, position) => ({
    series_id: target.id,
    org_id: admin.org_id,
    height: Math.floor(time / 12),
    time,
    position,
    value,
    subject: null,
    evidence: evidence ?? null,
  }));
  for (const { time } of readings) await ensurePartition(h.app.db, "samples", time);
  await insertSamples(h.app.db, "local", rows);
  const last = readings.at(-1);
  await h.app.db
    .updateTable("targets")
    .set({ last_value: last?.value ?? null, last_value_at: new Date((last?.time ?? 0) * 1000), status: "ok" })
    .where("id", "=", target.id)
    .execute();
  const until = new Date(readUntil * 1000);
  await sql`
    insert into chain_cursors (chain, height, hash, block_time, updated_at) values ('local', 1, '0x', ${until}, ${until})
    on conflict (chain) do update set block_time = excluded.block_time`.execute(h.app.db);
}

async function runAnalysis(): Promise<void> {
  while ((await rollUp.run(h.app)).hasMore);
  await findAnomalies.run(h.app);
}

const anomalies = async (one: Pick<Person, "client">, query: Record<string, string> = {}) => {
  const reply = await one.client.get("/analytics/anomalies", { query });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as Anomalies;
};

async function feed(admin: Person, more: object = {}): Promise<{ contract: Contract; target: Target }> {
  const contract = await addContract(admin, more);
  return { contract, target: await addTarget(admin, contract.id, { target_type: "oracle_price" }) };
}

/** A round of a feed; the upper bits of its id hold the phase. */
const round = (time: number, value: number, phase: number, number: number, updated_at = time) => ({
  time,
  value,
  evidence: {
    updated_at,
    decimals: 8,
    pair: "ETH / USD",
    aggregator: `0x${phase.toString(16).padStart(40, "0")}`,
    round_id: ((BigInt(phase) << 64n) | BigInt(number)).toString(),
  },
});

test("a monitored feed is listed with its current price and status across an aggregator change", async () => {
  const admin = await teamAdmin(h);
  const { contract, target } = await feed(admin);
  const [silent] = [await feed(admin, { label: "Silent" })];
  await addContract(admin);
  await recordReadings(admin, target, [round(now() - 600, 3000, 6, 900), round(now() - 300, 3001, 7, 1)]);
  const feeds = (await admin.client.get("/analytics/oracle-feeds")).body as OracleFeed[];
  expect(feeds.map(({ contract_id }) => contract_id)).toEqual([silent.contract.id, contract.id]);
  expect(feeds[1]).toMatchObject({
    pair: "ETH / USD",
    decimals: 8,
    price: 3001,
    phase_id: 7,
    round_id: ((7n << 64n) | 1n).toString(),
    aggregator: `0x${"7".padStart(40, "0")}`,
    heartbeat_seconds: 3600,
    status: "ok",
    target_types: ["oracle_price"],
  });
  expect(feeds[0]).toMatchObject({ price: null, status: "no_data" });
  h.clock.advance(3_600);
  const later = (await admin.client.get("/analytics/oracle-feeds")).body as OracleFeed[];
  expect(later[1]?.status).toBe("stale");
});

test("feed prices are returned once per round, with statistics, across a phase change", async () => {
  const admin = await teamAdmin(h);
  const { contract, target } = await feed(admin);
  const start = now() - 3_000;
  const rounds = [
    round(start, 100, 6, 7),
    round(start + 60, 100, 6, 7, start),
    round(start + 120, 110, 6, 8),
    round(start + 180, 99, 7, 1),
  ];
  await recordReadings(admin, target, rounds);
  const prices = (await admin.client.get(`/analytics/oracle-feeds/${contract.id}/prices`)).body as Prices;
  expect(prices.points.map(({ price }) => price)).toEqual([100, 110, 99]);
  expect(prices.points[0]?.at).toBe(new Date(start * 1000).toISOString());
  expect(prices).toMatchObject({ pair: "ETH / USD", decimals: 8, heartbeat_seconds: 3600 });
  const { volatility, ...stats } = prices.stats;
  expect(stats).toMatchObject({ min: 99, max: 110, mean: 103, last: 99 });
  // The prices change by +10 % and -10 %.
  expect(volatility).toBeCloseTo(Math.sqrt(0.02), 9);
  const query = { from: new Date((start + 100) * 1000).toISOString() };
  const newer = (await admin.client.get(`/analytics/oracle-feeds/${contract.id}/prices`, { query }))
    .body as Prices;
  expect(newer.points.map(({ price }) => price)).toEqual([110, 99]);
});

test("feed prices whose samples were deleted are returned per hour", async () => {
  const admin = await teamAdmin(h);
  const { contract, target } = await feed(admin);
  const hour = Math.floor(now() / 3600) * 3600 - 5 * 3600;
  await recordReadings(admin, target, [
    round(hour + 60, 100, 1, 1),
    round(hour + 120, 101, 1, 2),
    round(hour + 7_300, 102, 1, 3),
  ]);
  await runAnalysis();
  await sql`delete from samples where series_id = ${target.id} and at < ${new Date((hour + 3600) * 1000)}`.execute(
    h.app.db,
  );
  const prices = (await admin.client.get(`/analytics/oracle-feeds/${contract.id}/prices`)).body as Prices;
  expect(prices.points.map(({ price, round_id }) => [price, round_id !== null])).toEqual([
    [101, false],
    [102, true],
  ]);
});

test("a price range with more hours than the limit returns the newest hours without gaps", async () => {
  const admin = await teamAdmin(h);
  const { contract, target } = await feed(admin);
  const last = Math.floor(now() / 3600) * 3600 - 3600;
  for (let n = 0; n < 3_000; n += 24) await ensurePartition(h.app.db, "samples_hour", last - n * 3600);
  await ensurePartition(h.app.db, "samples_hour", last - 3_000 * 3600);
  await sql`
    insert into samples_hour (series_id, org_id, at, count, sum, min, max, last)
    select ${target.id}, ${admin.org_id}, to_timestamp(${last}::bigint - n * 3600), 1, n, n, n, n
    from generate_series(0, 2999) as n`.execute(h.app.db);
  const query = { from: new Date((last - 3_000 * 3600) * 1000).toISOString() };
  const { points } = (await admin.client.get(`/analytics/oracle-feeds/${contract.id}/prices`, { query }))
    .body as Prices;
  expect([points.at(-1)?.price, points.length]).toEqual([0, 2_000]);
});

test("the prices of a contract without an oracle target get 404", async () => {
  const admin = await teamAdmin(h);
  const { id } = await addContract(admin);
  expect((await admin.client.get(`/analytics/oracle-feeds/${id}/prices`)).status).toBe(404);
});

/** Readings at a constant rate in the minutes before `end`. */
const steady = (minutes: number, perMinute: number, end: number) =>
  Array.from({ length: minutes }, (_, index) => end - (minutes - index) * minute).flatMap((time) =>
    Array.from({ length: perMinute }, (_, second) => ({ time: time + second, value: 1 })),
  );

test("a spike is reported once, with its score and severity", async () => {
  const admin = await teamAdmin(h);
  const { id } = await addContract(admin);
  const target = await addTarget(admin, id);
  const end = now() - 10 * minute;
  const burst = Array.from({ length: 30 }, (_, second) => ({ time: end + second, value: 1 }));
  await recordReadings(admin, target, [...steady(240, 2, end), ...burst, ...steady(5, 2, end + 6 * minute)]);
  await runAnalysis();
  h.clock.advance(180);
  await runAnalysis();
  const found = await anomalies(admin);
  expect(found.items).toMatchObject([
    {
      anomaly_type: "spike",
      contract_id: id,
      chain_id: 31337,
      target_id: target.id,
      value: 30,
      expected: 2,
      score: 28,
    },
  ]);
  expect(found.items[0]?.at).toBe(new Date(end * 1000).toISOString());
  expect(found.summary).toEqual({
    total: 1,
    by_kind: { spike: 1 },
    by_severity: { info: 0, warning: 0, critical: 1 },
  });
  expect(found.trend.reduce((sum, { count }) => sum + count, 0)).toBe(1);
  expect(found.trend).toHaveLength(169);
});

test("a contract without activity is reported as silent, unless its chain was not read", async () => {
  const admin = await teamAdmin(h);
  const [first, second] = [await addContract(admin), await addContract(admin)];
  const [quiet, unread] = [await addTarget(admin, first.id), await addTarget(admin, second.id)];
  const end = now() - 30 * minute;
  await recordReadings(admin, unread, steady(240, 1, end), end);
  await runAnalysis();
  expect((await anomalies(admin)).items).toEqual([]);
  await recordReadings(admin, quiet, steady(240, 1, end));
  await runAnalysis();
  const found = await anomalies(admin, { contract_id: first.id });
  expect(found.items.map(({ anomaly_type }) => anomaly_type)).toContain("silence");
});

test("a feed that jumps, deviates or is stale is reported and its prices are marked", async () => {
  const admin = await teamAdmin(h);
  const { contract, target } = await feed(admin);
  const end = now() - 8 * minute;
  const steadyPrices = Array.from({ length: 240 }, (_, index) => {
    const time = end - (240 - index) * minute;
    return round(time, 3000 + Math.sin(index) * 2, 1, index);
  });
  const jump = round(end, 3600, 1, 240, end - 8_000);
  await recordReadings(admin, target, [...steadyPrices, jump]);
  await runAnalysis();
  const kinds = (await anomalies(admin)).items.map(({ anomaly_type }) => anomaly_type).sort();
  expect(kinds).toEqual(["deviation", "jump", "stale"]);
  const prices = (await admin.client.get(`/analytics/oracle-feeds/${contract.id}/prices`)).body as Prices;
  expect(prices.anomalies.map(({ kind }) => kind).sort()).toEqual(["deviation", "jump", "stale"]);
  const byKind = await anomalies(admin, { anomaly_type: "jump" });
  expect([byKind.total, byKind.items[0]?.value]).toEqual([1, 3600]);
});

test("an anomaly that lasts for hours is reported once", async () => {
  const admin = await teamAdmin(h);
  const { target } = await feed(admin);
  const start = now() - 240 * minute;
  const late = Array.from({ length: 240 }, (_, index) =>
    round(start + index * minute, 3000, 1, 1, start - 9_000),
  );
  await recordReadings(admin, target, late);
  for (let hour = 0; hour < 3; hour++) {
    await runAnalysis();
    h.clock.advance(1_500);
    await recordReadings(admin, target, [round(now(), 3000, 1, 1, start - 9_000)]);
  }
  const found = await anomalies(admin, { anomaly_type: "stale" });
  expect(found.items).toHaveLength(1);
});

test("anomalies of contracts hidden from the caller are not returned", async () => {
  const admin = await teamAdmin(h);
  const viewer = await join(h, admin, "viewer");
  await viewer.client.post(`/orgs/${admin.org_id}/switch`);
  const { id } = await addContract(admin);
  const target = await addTarget(admin, id);
  const end = now() - 5 * minute;
  const burst = Array.from({ length: 30 }, (_, second) => ({ time: end + second, value: 1 }));
  await recordReadings(admin, target, [...steady(240, 2, end), ...burst]);
  await grant(admin, id, admin);
  await runAnalysis();
  expect((await anomalies(admin)).total).toBeGreaterThan(0);
  expect(await anomalies(viewer)).toMatchObject({ total: 0, items: [] });
  const elsewhere = await makeKeyClient(h, admin, { chain_scope: [1] });
  expect((await anomalies({ client: elsewhere })).total).toBe(0);
  expect((await elsewhere.get("/analytics/anomalies", { query: { contract_id: id } })).status).toBe(403);
});
