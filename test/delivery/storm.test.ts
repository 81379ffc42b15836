import { expect, test } from "vitest";
import { pickLanes, RoundRobin } from "../../src/delivery/pick-lanes.ts";
import { insertEvents, insertNotices, type NewEvent } from "../../src/store/engine/alert-events.ts";
import { freshId } from "../api/contracts/contract-steps.ts";
import { fire, type Household, makeWorld } from "./world.ts";

const world = await makeWorld();
const { h, sink } = world;

/** Has very many events of one home be told, quicker than one by one. */
async function storm(home: Household, total: number): Promise<void> {
  const id = await fire(world, home);
  const event = await h.app.db
    .selectFrom("alert_events")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const now = h.clock.now();
  const events = Array.from({ length: total - 1 }, (): NewEvent => {
    const own = freshId();
    return { ...event, id: own, observation: own, explanation: JSON.stringify(event.explanation) };
  });
  for (let start = 0; start < events.length; start += 1_000) {
    const some = events.slice(start, start + 1_000);
    await insertEvents(h.app.db, some);
    const notice = (event_id: string) => ({
      id: freshId(),
      org_id: home.owner.org_id,
      event_id,
      created_at: now,
    });
    await insertNotices(
      h.app.db,
      some.map((one) => ({ ...notice(one.id), kind: "fired" as const, occurrence: 0 })),
    );
  }
}

test("ten thousand messages of one org leave another's where it would be without them", async () => {
  const [loud, quiet] = [await world.household(), await world.household()];
  const channels = [];
  for (let count = 0; count < 8; count++) channels.push(await loud.channel(`/loud/${count}`));
  await loud.tells(loud.rule, ...channels);
  await quiet.tells(quiet.rule, await quiet.channel("/quiet"));
  await storm(loud as Household, 1_250);
  await fire(world, quiet);

  // The quiet org's notice is turned into a message in the first round, although it came last.
  await world.fanOutAll();
  const waiting = await h.app.db
    .selectFrom("deliveries")
    .select((query) => ["org_id", query.fn.countAll<string>().as("total")])
    .groupBy("org_id")
    .execute();
  expect(waiting.map(({ total }) => Number(total)).sort()).toEqual([1, 10_000]);

  // Four lanes for nine channels: the quiet one gets one of them in the first round, as it would alone.
  const worker = world.dispatcher({ lanes: 4, perOrg: 3 });
  await worker.renew();
  await worker.begin(await worker.pick());
  await worker.idle();
  expect(sink.at("/quiet")).toHaveLength(1);
  expect(sink.received.length).toBeLessThanOrEqual(151);

  // And again while the storm goes on.
  await fire(world, quiet);
  await world.fanOutAll();
  await worker.begin(await worker.pick());
  await worker.idle();
  expect(sink.at("/quiet")).toHaveLength(2);
  await worker.stop(5_000);
}, 120_000);

test("everybody gets a turn before anybody gets another, and no org more than its share", () => {
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
  // Of one org's channels none is served twice before all were served once.
  expect(new Set(served.filter((id) => id.startsWith("a"))).size).toBe(6);
  expect(served.filter((id) => id === "b0")).toHaveLength(3);
});
