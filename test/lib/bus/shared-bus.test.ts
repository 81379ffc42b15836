import { Redis } from "ioredis";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Hint } from "../../../src/lib/bus/bus.ts";
import { makeRedisTransport } from "../../../src/lib/bus/redis-transport.ts";
import { type BusTransport, makeSharedBus } from "../../../src/lib/bus/shared-bus.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { makeLog } from "../../../src/lib/log/log.ts";
import { makeNotifyTransport } from "../../../src/store/notify-transport.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { cloneDatabase } from "../../support/database.ts";
import { hasRedis, startRedis } from "../../support/redis.ts";

/** The bus of one process. */
function join(carrier: BusTransport) {
  const bus = makeSharedBus(carrier, systemClock);
  onTestFinished(() => bus.close());
  return bus;
}

/** Publishes until the hint arrives, since the start of a listener is asynchronous. */
async function heard(from: ReturnType<typeof join>, to: ReturnType<typeof join>, hint: Hint): Promise<Hint> {
  const arrived = new Promise<Hint>((resolve) => to.subscribe(hint.topic, resolve));
  let isHere = false;
  void arrived.then(() => {
    isHere = true;
  });
  while (!isHere) {
    from.publish(hint);
    await systemClock.sleep(20);
  }
  return arrived;
}

const worlds: [string, boolean, () => Promise<() => BusTransport>][] = [
  [
    "PostgreSQL",
    true,
    async () => {
      const address = await cloneDatabase();
      return () => {
        const store = openStore(address, makeLog("silent"), { max: 2 });
        onTestFinished(() => store.close());
        return makeNotifyTransport(store.pool, address, systemClock);
      };
    },
  ],
  [
    "Redis",
    hasRedis,
    async () => {
      const server = await startRedis();
      onTestFinished(() => server.stop());
      return () => {
        const redis = new Redis(server.url);
        redis.on("error", () => undefined);
        onTestFinished(() => redis.disconnect());
        return makeRedisTransport(redis);
      };
    },
  ],
];

describe.each(worlds)("the shared bus over %s", (_name, isThere, start) => {
  test.skipIf(!isThere)(
    "delivers a hint to local listeners immediately and to other processes once",
    async () => {
      const carrier = await start();
      const [here, there] = [join(carrier()), join(carrier())];
      await heard(here, there, { topic: "ready" });
      await heard(there, here, { topic: "ready too" });
      const [own, other]: [Hint[], Hint[]] = [[], []];
      here.subscribe("news", (hint) => own.push(hint));
      there.subscribe("news", (hint) => other.push(hint));
      const hint = { topic: "news", org_id: "an org" };
      here.publish(hint);
      expect(own).toEqual([hint]);
      // Earlier lines have arrived when a later one has.
      await heard(here, there, { topic: "later" });
      expect([own, other]).toEqual([[hint], [hint]]);
    },
  );

  test.skipIf(!isThere)("sends equal hints of one batch once", async () => {
    const carrier = await start();
    const [here, there] = [join(carrier()), join(carrier())];
    await heard(here, there, { topic: "ready" });
    const other: Hint[] = [];
    there.subscribe("news", (hint) => other.push(hint));
    for (let n = 0; n < 200; n++) here.publish({ topic: "news", org_id: `org ${n % 120}` });
    await heard(here, there, { topic: "later" });
    expect(new Set(other.map(({ org_id }) => org_id)).size).toBe(120);
    expect(other).toHaveLength(120);
  });
});

test("listens again after its connection broke", async () => {
  const address = await cloneDatabase();
  const make = () => {
    const store = openStore(address, makeLog("silent"), { max: 2 });
    onTestFinished(() => store.close());
    return { store, bus: join(makeNotifyTransport(store.pool, address, systemClock)) };
  };
  const [here, there] = [make(), make()];
  await heard(here.bus, there.bus, { topic: "before" });
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'tocsin bus' and datname = current_database()`.execute(here.store.db);
  await heard(here.bus, there.bus, { topic: "after" });
});

test("ignores lines that are not hints", async () => {
  let listener: (line: string) => void = () => undefined;
  const carrier: BusTransport = {
    send: async () => undefined,
    listen: (given) => {
      listener = given;
    },
    close: async () => undefined,
  };
  const bus = join(carrier);
  const all: Hint[] = [];
  bus.subscribe("news", (hint) => all.push(hint));
  for (const line of ["", "{", "null", "[]", '{"hints":7}', '{"hints":[null,{"topic":7},{}]}'])
    listener(line);
  listener(JSON.stringify({ from: "elsewhere", hints: [{ topic: "news" }] }));
  expect(all).toEqual([{ topic: "news" }]);
});
