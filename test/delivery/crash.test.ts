import { fork } from "node:child_process";
import { once } from "node:events";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { deliveryPoints } from "../../src/faults.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { makeVault } from "../../src/lib/secrets/vault.ts";
import { bundledChild } from "../support/bundle.ts";
import { cloneDatabase } from "../support/database.ts";
import { runSize } from "../support/run-size.ts";
import type { Order } from "./worker-child.ts";
import { fire, makeWorld } from "./world.ts";

const address = await cloneDatabase();
const world = await makeWorld({ address });
const { h, sink } = world;
const key = systemRandom.bytes(32);
h.app.vault = makeVault(key, systemRandom);
const entry = bundledChild("test/delivery/worker-child.ts");

function start(fault?: Order["fault"]) {
  const child = fork(entry, { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] });
  child.send({ address, key: key.toString("hex"), folder: h.folder, fault } satisfies Order);
  return { child, ended: once(child, "exit") };
}

/** Expires the leases of dead workers. */
const expireLeases = () => sql`update delivery_workers set lease_until = '-infinity'`.execute(h.app.db);

async function untilAllAreSettled(): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ left: string }>`
      select (select count(*) from alert_notices where fanned_out_at is null)
        + (select count(*) from deliveries where status in ('queued', 'sending')) as left`.execute(h.app.db);
    if (rows[0]?.left === "0") return;
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function hasEnded(ended: Promise<unknown>, withinMs: number): Promise<boolean> {
  const tooLong = new Promise<boolean>((resolve) => setTimeout(resolve, withinMs, false));
  return Promise.race([ended.then(() => true), tooLong]);
}

const maxHits = runSize("DELIVERY_CRASH_HITS", { short: 1, long: 2 });
/** The worker dies when it passes a fault point for the nth time. */
const deaths = deliveryPoints.flatMap((point) =>
  (/after_(fan_out|claim)$/.test(point) ? [1] : [1, 2])
    .filter((hits) => hits <= maxHits)
    .map((hits) => ({ point, hits })),
);

test.each(deaths)(
  "no message is lost or sent a third time when the worker dies at $point ($hits)",
  async (fault) => {
    const home = await world.household();
    const paths = [0, 1, 2].map((index) => `/${fault.point}/${fault.hits}/${index}`);
    const channels = [];
    for (const path of paths) channels.push(await home.channel(path));
    await home.setChannels(home.rule, ...channels);
    let alerts = 0;
    for (; alerts < 5; alerts++) await fire(world, home);

    const victim = start(fault);
    // Many results may be recorded together, so it takes more messages to pass a point again.
    for (; !(await hasEnded(victim.ended, 300)); alerts++) await fire(world, home);
    expect(await victim.ended).toEqual([null, "SIGKILL"]);
    await expireLeases();
    const heir = start();
    await untilAllAreSettled();
    heir.child.send("stop");
    await heir.ended;

    const deliveries = await home.deliveries({ limit: "200" });
    expect(deliveries).toHaveLength(3 * alerts);
    expect(deliveries.every(({ status }) => status === "sent")).toBe(true);
    const received = paths.flatMap((path) => sink.at(path).map(({ id }) => id));
    expect(new Set(received)).toEqual(new Set(deliveries.map(({ id }) => id)));
    for (const { id, attempts } of deliveries) {
      const times = received.filter((one) => one === id).length;
      const lost = attempts.filter(({ result }) => result === "lost").length;
      expect([times <= 2, times <= 1 + lost, attempts.at(-1)?.result]).toEqual([true, true, "sent"]);
    }
    const workers = await h.app.db.selectFrom("delivery_workers").select("id").execute();
    expect(workers).toEqual([]);
  },
  60_000,
);
