import { expect, test } from "vitest";
import { rollUp } from "../../../src/jobs/roll-up-samples.ts";
import type { TargetSeries } from "../../../src/wire/contracts/target-series.ts";
import { errorReply } from "../../api/steps.ts";
import { harness } from "../../support/harness.ts";
import { emits, freshWorld, transferSignature, type World } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };

async function seriesOf(
  world: World,
  target_id: string,
  query: Record<string, string>,
): Promise<TargetSeries> {
  const to = new Date(world.chain.tip.time * 1000).toISOString();
  const reply = await world.owner.client.get(`/targets/${target_id}/series`, { query: { to, ...query } });
  expect(reply.status).toBe(200);
  return reply.body as TargetSeries;
}

/** Mines blocks a minute apart, each with this many transfers. */
async function mine(world: World, ...counts: number[]) {
  for (const count of counts) {
    const time = world.chain.tip.time + 60;
    world.chain.mine(count > 0 ? [emits(...Array.from({ length: count }, () => 1))] : [], { time });
    await world.catchUp();
  }
}

const valuesOf = ({ points }: TargetSeries) => points.map(({ max }) => max);

test("a series has the aggregated value of each window, also after its samples were rolled up", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch(transfers);
  await world.catchUp();
  await mine(world, 1, 0, 3, 2, 0, 0);
  const query = { aggregation: "count", window_seconds: "120" };
  const series = await seriesOf(world, target_id, query);
  expect(series).toMatchObject({ target_id, unit: "events" });
  expect(valuesOf(series)).toEqual([1, 1, 3, 5, 2, 0]);
  expect(valuesOf(await seriesOf(world, target_id, { aggregation: "each" }))).toEqual([1, 1, 1, 1, 1, 1]);
  while ((await rollUp.run(h.app)).hasMore);
  await h.app.db.deleteFrom("samples").where("org_id", "=", world.owner.org_id).execute();
  expect(Math.max(...valuesOf(await seriesOf(world, target_id, query)))).toBe(5);
});

test("a series shows a peak between two regular points", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch(transfers);
  await world.catchUp();
  await mine(world, 1);
  for (const seconds of [20, 50]) {
    world.chain.mine([emits(1)], { time: world.chain.tip.time + seconds });
    await world.catchUp();
  }
  await mine(world, 0, 0, 0);
  // The second and the third transfer are within 51 seconds of each other, but not at a full minute after the first.
  const series = await seriesOf(world, target_id, { aggregation: "count", window_seconds: "71" });
  expect(Math.max(...valuesOf(series))).toBe(3);
});

test("a series ends with the newest processed block, because nothing is known of later times", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch(transfers);
  await world.catchUp();
  await mine(world, 1, 1);
  const to = new Date((world.chain.tip.time + 3600) * 1000).toISOString();
  const { points } = await seriesOf(world, target_id, { aggregation: "count", window_seconds: "60", to });
  expect(points.at(-1)?.at).toBe(new Date(world.chain.tip.time * 1000).toISOString());
});

test("a series of a range that is too long or reversed is rejected with the limit", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch(transfers);
  const ask = (from: string, to: string) =>
    world.owner.client.get(`/targets/${target_id}/series`, { query: { from, to } });
  const long = await ask("2026-01-01T00:00:00Z", "2026-01-09T00:00:00Z");
  expect(long).toMatchObject({ status: 422, text: expect.stringContaining("at most 7 days before `to`") });
  expect((await ask("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z")).status).toBe(422);
});

test("a series of a target of another organisation does not exist", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch(transfers);
  const stranger = await h.person();
  expect(await stranger.client.get(`/targets/${target_id}/series`)).toMatchObject(
    errorReply(404, "not_found"),
  );
});
