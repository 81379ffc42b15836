import { expect, test } from "vitest";
import { fanOutMany } from "../../src/delivery/fan-out.ts";
import { RoundRobin } from "../../src/delivery/pick-lanes.ts";
import { fireMany } from "../delivery/fire-many.ts";
import { makeWorld } from "../delivery/world.ts";
import { casesOf, runSize } from "../support/run-size.ts";
import { measureStandstill } from "./loop-probe.ts";
import { maxStandstillMs } from "./world.ts";

const world = await makeWorld();
const { h, sink } = world;

/** As large as the explanation of an event may be. */
const largest = 64 * 1024;
const alerts = runSize("LARGE_ALERTS", { short: 12, long: 1_000 });
const channelCount = runSize("LARGE_ALERT_CHANNELS", { short: 8, long: 16 });

/** The shapes of the arguments of a call or event whose text is long. */
const shapes: [string, () => object][] = [
  ["one long text", () => ({ text: "x".repeat(largest - 200) })],
  [
    "many short arguments",
    () => Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`a${n}`, "123"])),
  ],
  ["a deep array", () => ({ list: Array.from({ length: 10_000 }, (_, n) => [n % 10]) })],
];

test("large alerts arrive each once and in order, however many turns they need", async () => {
  const home = await world.household();
  await home.setChannels(home.rule, await home.channel("/every"));
  await fireMany(world, home, 30, { decoded: { name: "Large", args: shapes[0]?.[1]() } });
  await world.deliverAll();
  const received = sink.at("/every").flatMap(({ body }) => body.data.alerts.map(({ event_id }) => event_id));
  expect(new Set(received).size).toBe(30);
  expect(received).toHaveLength(30);
  expect(await home.deliveries({ status: "sent" })).toHaveLength(30);
});

test.each(casesOf(shapes, ([name]) => name === "many short arguments"))(
  "large alerts for many channels of one org do not block the process that delivers: %s",
  async (_, args) => {
    const home = await world.household();
    const channels = [];
    for (let count = 0; count < channelCount; count++) channels.push(await home.channel(`/large/${count}`));
    await home.setChannels(home.rule, ...channels);
    await fireMany(world, home, alerts, { decoded: { name: "Large", args: args() } });
    const worker = world.dispatcher();
    const { cpuMs, result: claimed } = await measureStandstill(async () => {
      await world.fanOutAll();
      await worker.renew();
      const claimed = await worker.begin(await worker.pick());
      await worker.idle();
      return claimed;
    });
    expect(cpuMs).toBeLessThan(maxStandstillMs);
    expect(claimed).toBeGreaterThanOrEqual(channelCount * Math.min(alerts, 50));
    await worker.stop(5_000);
  },
);

test("an org with very many channels gets its deliveries in several transactions, the same for each channel", async () => {
  const home = await world.household();
  const first = await home.channel("/crowd");
  await h.app.db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom("channels")
      .selectAll()
      .where("id", "=", first.id)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 399 }, () => ({
      ...row,
      id: crypto.randomUUID(),
      config: JSON.stringify(row.config),
    }));
    await tx
      .insertInto("channels")
      .values(copies as never)
      .execute();
    await tx
      .updateTable("alert_rules")
      .set({ channel_ids: [row.id, ...copies.map(({ id }) => id)] })
      .where("id", "=", home.rule.id)
      .execute();
  });
  await fireMany(world, home, 30);
  const count = async () => {
    const rows = await h.app.db
      .selectFrom("deliveries")
      .select((query) => query.fn.countAll<string>().as("total"))
      .where("org_id", "=", home.owner.org_id)
      .executeTakeFirstOrThrow();
    return Number(rows.total);
  };
  await fanOutMany(h.app, new RoundRobin());
  expect(await count()).toBe(10_000);
  await world.fanOutAll();
  expect(await count()).toBe(12_000);
});
