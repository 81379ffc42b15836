import { expect, test } from "vitest";
import { pickLanes, RoundRobin } from "../../src/delivery/pick-lanes.ts";
import { fireMany } from "./fire-many.ts";
import { fire, makeWorld } from "./world.ts";

const world = await makeWorld();
const { h, sink } = world;

test("ten thousand messages of one org do not delay another org's message", async () => {
  const [loud, quiet] = [await world.household(), await world.household()];
  const channels = [];
  for (let count = 0; count < 8; count++) channels.push(await loud.channel(`/loud/${count}`));
  await loud.setChannels(loud.rule, ...channels);
  await quiet.setChannels(quiet.rule, await quiet.channel("/quiet"));
  await fireMany(world, loud, 1_250);
  await fire(world, quiet);

  // The quiet org's notice becomes a delivery in the first round, although it is the newest.
  await world.fanOutAll();
  const waiting = await h.app.db
    .selectFrom("deliveries")
    .select((query) => ["org_id", query.fn.countAll<string>().as("total")])
    .groupBy("org_id")
    .execute();
  expect(waiting.map(({ total }) => Number(total)).sort()).toEqual([1, 10_000]);

  // Four lanes for nine channels: the quiet one gets a lane in the first round.
  const worker = world.dispatcher({ lanes: 4, perOrg: 3 });
  await worker.renew();
  await worker.begin(await worker.pick());
  await worker.idle();
  expect(sink.at("/quiet")).toHaveLength(1);
  expect(sink.received.length).toBeLessThanOrEqual(151);

  // And again during the storm.
  await fire(world, quiet);
  await world.fanOutAll();
  await worker.begin(await worker.pick());
  await worker.idle();
  expect(sink.at("/quiet")).toHaveLength(2);
  await worker.stop(5_000);
}, 120_000);

test("each org gets a turn before any gets another, and no more than its share of lanes", () => {
  const turns = new RoundRobin();
  const due_at = new Date();
  const waiting = (org_id: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      channel_id: `${org_id}${index}`,
      org_id,
      type: "webhook",
      due_at,
    }));
  const all = [...waiting("a", 50), ...waiting("b", 2), ...waiting("c", 1)];
  const served: string[] = [];
  for (let round = 0; round < 6; round++) {
    const picked = pickLanes(all, new Map(), turns, { lanes: 3, perOrg: 2 });
    expect(new Set(picked.map(({ channel_id }) => channel_id)).size).toBe(picked.length);
    for (const org of ["a", "b"])
      expect(picked.filter(({ org_id }) => org_id === org).length).toBeLessThanOrEqual(2);
    expect(new Set(picked.map(({ org_id }) => org_id))).toEqual(new Set(["a", "b", "c"]));
    served.push(...picked.map(({ channel_id }) => channel_id));
  }
  // No channel of an org gets a second turn before all others had one.
  expect(new Set(served.filter((id) => id.startsWith("a"))).size).toBe(6);
  expect(served.filter((id) => id === "b0")).toHaveLength(3);
});
