import { expect, test } from "vitest";
import { hour } from "../api/steps.ts";
import { makeDice } from "../pipeline/dice.ts";
import { runSize } from "../support/run-size.ts";
import type { Answer } from "./sink.ts";
import { fire, makeWorld } from "./world.ts";

/** DELIVERIES=100000 for the long version; DELIVERY_SEED=n for another order of faults. */
const total = runSize("DELIVERIES", { short: 60, long: 100_000 });
const seed = Number(process.env.DELIVERY_SEED ?? 1);
const dice = makeDice(seed);

const world = await makeWorld();
const { h, sink } = world;
// A short timeout for receivers that do not reply, but longer than a busy machine needs for a reply: a delivery has a bounded
// number of attempts.
const patient = h.app.outbound;
h.app.outbound = { ...patient, send: (request) => patient.send({ ...request, timeoutMs: 1_500 }) };

/** Three in ten messages get a fault. */
function fault(): Answer {
  const draw = dice.between(0, 99);
  if (draw < 12) return 500 + dice.between(0, 3);
  if (draw < 13) return "silence";
  if (draw < 19) return "reset";
  if (draw < 24) return { status: 429, headers: { "retry-after": String(dice.between(1, 20)) } };
  if (draw < 27) return 404;
  if (draw < 29) return "reset";
  if (draw < 30) return { status: 302, headers: { location: "https://example.com/elsewhere" } };
  return 200;
}

test(`all of ${total} messages arrive under faults, and twice only after an ambiguous result (DELIVERY_SEED=${seed})`, async () => {
  const home = await world.household();
  const paths = Array.from({ length: 20 }, (_, index) => `/faulty/${index}`);
  for (const path of paths) {
    sink.on(path, fault);
  }
  const channels = [];
  for (const path of paths) channels.push(await home.channel(path));
  await home.setChannels(home.rule, ...channels);
  for (let count = 1; count <= total / paths.length; count++) {
    await fire(world, home);
    // Each part stays below the limit of messages per hour.
    if (count % 900 > 0) continue;
    await world.deliverAll(300);
    h.clock.advance(hour);
  }
  await world.deliverAll(300);

  const rows = await h.app.db.selectFrom("deliveries").select(["id", "status"]).execute();
  expect(rows).toHaveLength(total);
  expect(rows.filter(({ status }) => status !== "sent")).toEqual([]);
  const attempts = await h.app.db.selectFrom("delivery_attempts").select(["delivery_id", "result"]).execute();
  // Each request that reached the receiver is recorded as an attempt. On a busy machine an attempt may time out before its
  // request reaches the receiver; such an attempt is recorded as well, and only as one to retry.
  const attemptsOf = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  const requestsOf = Map.groupBy(sink.received, ({ id }) => id);
  for (const [id, requests] of requestsOf) {
    const results = (attemptsOf.get(id) ?? []).map(({ result }) => result);
    expect(results.length, `attempts of ${id}`).toBeGreaterThanOrEqual(requests.length);
    const unseen = results.length - requests.length;
    expect(results.filter((result) => result === "retry").length).toBeGreaterThanOrEqual(unseen);
  }
  expect(new Set(sink.received.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)));
  const sent = attempts.filter(({ result }) => result === "sent");
  expect(new Set(sent.map(({ delivery_id }) => delivery_id)).size).toBe(sent.length);
}, 600_000);
