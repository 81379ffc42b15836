import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteOldData } from "../../src/jobs/delete-old-data.ts";
import { deleteOldRollups } from "../../src/jobs/delete-old-rollups.ts";
import { rollUp } from "../../src/jobs/roll-up-samples.ts";
import { ensurePartition, partitionFor } from "../../src/store/engine/partitions.ts";
import type { Tier } from "../../src/wire/primitives.ts";
import { day } from "../api/steps.ts";
import { makeDice } from "../pipeline/dice.ts";
import { emits, freshWorld, transferSignature, type World } from "../pipeline/world.ts";
import { harness } from "../support/harness.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

const amounts = { target_type: "event_value", config: { event_signature: transferSignature, arg: "value" } };
const nowSeconds = () => Math.floor(h.clock.now().getTime() / 1000);
const forget = async () => {
  while ((await deleteOldData.run(h.app)).hasMore);
};

type Sum = { at: number; count: number; sum: number; min: number; max: number; last: number };

async function rolledUp(table: "samples_minute" | "samples_hour", series_id: string): Promise<Sum[]> {
  const rows = await h.app.db
    .selectFrom(table)
    .selectAll()
    .where("series_id", "=", series_id)
    .orderBy("at")
    .execute();
  return rows.map(({ at, count, sum, min, max, last }) => ({
    at: at.getTime() / 1000,
    count: Number(count),
    sum,
    min,
    max,
    last,
  }));
}

/** Sets an org's tier without the retention of its previous tier. */
async function hadAlways({ owner }: World, tier: Tier): Promise<void> {
  await h.app.db.updateTable("orgs").set({ tier }).where("id", "=", owner.org_id).execute();
}

/** Returns the age of the stored alerts in days. */
async function alertDays({ owner }: World): Promise<number[]> {
  const rows = await h.app.db
    .selectFrom("alert_events")
    .select("fired_at")
    .where("org_id", "=", owner.org_id)
    .orderBy("fired_at")
    .execute();
  return rows.map(({ fired_at }) => Math.round((nowSeconds() - fired_at.getTime() / 1000) / day));
}

/** Computes the same roll-ups from the chain. */
function summed(world: World, width: number): Sum[] {
  const sums = new Map<number, number[]>();
  for (const { time, logs } of world.chain.branch()) {
    const at = Math.floor(time / width) * width;
    for (const { data } of logs) sums.set(at, [...(sums.get(at) ?? []), Number(BigInt(data))]);
  }
  return [...sums].map(([at, values]) => ({
    at,
    count: values.length,
    sum: values.reduce((total, value) => total + value, 0),
    min: Math.min(...values),
    max: Math.max(...values),
    last: values.at(-1) as number,
  }));
}

async function expectSums(world: World, target: string): Promise<void> {
  expect(await rolledUp("samples_minute", target)).toEqual(summed(world, 60));
  expect(await rolledUp("samples_hour", target)).toEqual(summed(world, 3600));
}

/** Creates a world whose chain starts in the past. */
async function watching(secondsAgo: number) {
  await h.app.db.deleteFrom("samples").execute();
  const world = await freshWorld(h);
  const target = await world.watch(amounts);
  await world.catchUp();
  world.chain.mine([], { time: nowSeconds() - secondsAgo });
  await world.catchUp();
  return { world, target };
}

test("roll-ups contain exactly the samples of their minutes and hours, and the job is idempotent", async () => {
  const { world, target } = await watching(2 * 3600);
  const dice = makeDice(1);
  for (let blocks = 0; blocks < 250; blocks++) {
    const values = Array.from({ length: dice.between(0, 3) }, () => dice.between(0, 50));
    world.chain.mine([emits(...values)], { time: world.chain.tip.time + dice.pick([0, 1, 12, 30, 60]) });
  }
  await world.catchUp();
  await rollUp.run(h.app);
  await expectSums(world, target);
  await rollUp.run(h.app);
  await expectSums(world, target);
  world.chain.mine([emits(7)]);
  await world.catchUp();
  await rollUp.run(h.app);
  await expectSums(world, target);
});

test("the next run removes samples that were rolled back from the roll-ups", async () => {
  const { world, target } = await watching(3600);
  const base = world.chain.mine([emits(1)]);
  world.chain.mine([emits(5)], { time: base.time + 120 });
  world.chain.mine([emits(6)], { time: base.time + 240 });
  await world.catchUp();
  await rollUp.run(h.app);
  await expectSums(world, target);
  world.chain.mine([], { on: base, time: base.time + 120, salt: 1 });
  world.chain.mine([emits(9)], { time: base.time + 180 });
  world.chain.mine([], { time: base.time + 300 });
  await world.catchUp();
  await rollUp.run(h.app);
  await expectSums(world, target);
});

test("roll-ups are deleted when a reorganisation removed all their samples", async () => {
  const { world, target } = await watching(3600);
  const base = world.chain.tip;
  world.chain.mine([emits(5)]);
  await world.catchUp();
  await rollUp.run(h.app);
  expect(await rolledUp("samples_hour", target)).toHaveLength(1);
  world.chain.mine([], { on: base, salt: 1 });
  world.chain.mine();
  await world.catchUp();
  await rollUp.run(h.app);
  expect(await rolledUp("samples_minute", target)).toEqual([]);
  expect(await rolledUp("samples_hour", target)).toEqual([]);
});

test("old roll-ups stay unchanged after their samples were deleted", async () => {
  const { world, target } = await watching(3600);
  world.chain.mine([emits(5)]);
  await world.catchUp();
  await rollUp.run(h.app);
  h.clock.advance(day);
  await h.app.db.deleteFrom("samples").execute();
  await rollUp.run(h.app);
  expect(await rolledUp("samples_hour", target)).toHaveLength(1);
});

test("samples that are written days late are rolled up", async () => {
  const { world, target } = await watching(9 * day);
  for (let blocks = 0; blocks < 12; blocks++) {
    world.chain.mine([emits(blocks)], { time: world.chain.tip.time + 5000 });
  }
  await world.catchUp();
  while ((await rollUp.run(h.app)).hasMore);
  await expectSums(world, target);
});

test("roll-ups are kept for the history of the tier", async () => {
  const { world, target } = await watching(8 * day);
  world.chain.mine([emits(1)]);
  world.chain.mine([emits(2)], { time: nowSeconds() - 2 * day });
  await world.catchUp();
  while ((await rollUp.run(h.app)).hasMore);
  while ((await deleteOldRollups.run(h.app)).hasMore);
  expect(await rolledUp("samples_hour", target)).toHaveLength(2);
  await hadAlways(world, "free");
  while ((await deleteOldRollups.run(h.app)).hasMore);
  expect(await rolledUp("samples_minute", target)).toMatchObject([{ last: 2 }]);
  expect(await rolledUp("samples_hour", target)).toMatchObject([{ last: 2 }]);
});

async function partitions(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`.execute(
    h.app.db,
  );
  return rows.map(({ name }) => name);
}

test("a partition is created for each day with blocks, idempotently", async () => {
  const time = Date.UTC(2031, 1, 28, 23, 59, 59) / 1000;
  await Promise.all([
    ensurePartition(h.app.db, "samples", time),
    ensurePartition(h.app.db, "samples_hour", time),
  ]);
  await ensurePartition(h.app.db, "samples", time);
  await ensurePartition(h.app.db, "samples", time + 1);
  const made = (await partitions("samples")).filter((name) => name.includes("p2031"));
  expect(made).toEqual(["samples_p20310228", "samples_p20310301"]);
  expect(partitionFor("samples", time)).toBe("samples_p20310228");
  expect(partitionFor("samples_hour", time)).toBe("samples_hour_p20310201");
});

test("raw samples are kept for the longest back-test, roll-ups for the longest history", async () => {
  const now = nowSeconds();
  for (const days of [0, 91, 92, 93, 94, 200]) await ensurePartition(h.app.db, "samples", now - days * day);
  for (const days of [0, 360, 420, 500]) await ensurePartition(h.app.db, "samples_hour", now - days * day);
  await forget();
  const raw = await partitions("samples");
  expect(raw).toContain(partitionFor("samples", now - 91 * day));
  expect(raw).toContain(partitionFor("samples", now - 92 * day));
  for (const days of [93, 94, 200]) expect(raw).not.toContain(partitionFor("samples", now - days * day));
  const hours = await partitions("samples_hour");
  expect(hours).toContain(partitionFor("samples_hour", now - 360 * day));
  for (const days of [420, 500]) expect(hours).not.toContain(partitionFor("samples_hour", now - days * day));
});

test("resolved events are kept for the history of the tier", async () => {
  const spans: [Tier, number][] = [
    ["free", 7],
    ["pro", 30],
    ["team", 90],
    ["enterprise", 365],
  ];
  for (const [tier, days] of spans) {
    const world = await freshWorld(h);
    const rule = { operator: "gt", threshold: 10, aggregation: "last", window_seconds: 600 };
    await world.rule(await world.watch(amounts), rule);
    await world.catchUp();
    const now = nowSeconds();
    const at = async (time: number, amount: number) => {
      world.chain.mine([emits(amount)], { time });
      await world.catchUp();
    };
    await at(now - days * day - 120, 11);
    await at(now - days * day - 110, 1);
    await at(now - days * day + 600, 11);
    await at(now - days * day + 610, 1);
    await hadAlways(world, tier);
    expect(await world.events()).toHaveLength(2);
    await forget();
    expect(await world.events()).toHaveLength(1);
  }
});

test("a downgrade deletes nothing: older data keeps the retention of the previous tier", async () => {
  const world = await freshWorld(h);
  await hadAlways(world, "team");
  await world.rule(await world.watch(amounts), { operator: "gt", threshold: 10, window_seconds: 600 });
  await world.catchUp();
  const alertAt = async (time: number) => {
    for (const [after, amount] of [11, 1].entries())
      world.chain.mine([emits(amount)], { time: time + after * 900 });
    await world.catchUp();
  };
  await alertAt(nowSeconds() - 60 * day);
  await alertAt(nowSeconds() - 20 * day);
  for (const tier of ["pro", "free"] as const) await h.setTier(world.owner.org_id, tier);
  await forget();
  expect(await alertDays(world)).toEqual([60, 20]);

  // The older one is past the previous tier's ninety days, and newer data has seven.
  h.clock.advance(31 * day);
  await alertAt(nowSeconds() - 8 * day);
  expect(await alertDays(world)).toEqual([91, 51, 8]);
  await forget();
  expect(await alertDays(world)).toEqual([51]);
  h.clock.advance(40 * day);
  await forget();
  expect(await alertDays(world)).toEqual([]);
});

test("an open alert is never deleted", async () => {
  const world = await freshWorld(h);
  await world.rule(await world.watch(amounts), {
    operator: "gt",
    threshold: 10,
    aggregation: "sum",
    window_seconds: 600,
  });
  await world.catchUp();
  world.chain.mine([emits(11)]);
  await world.catchUp();
  await forget();
  expect(await world.events()).toMatchObject([{ status: "firing" }]);
  const [event] = await world.events();
  await world.owner.client.post(`/alerts/events/${event?.id}/acknowledge`);
  await forget();
  expect(await world.events()).toMatchObject([{ status: "acknowledged" }]);
});
