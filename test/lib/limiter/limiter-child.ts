import { Redis } from "ioredis";
import { makeRedisLimiter } from "../../../src/lib/limiter/redis-limiter.ts";
import { makeLog } from "../../../src/lib/log/log.ts";
import { type Address, openStore } from "../../../src/store/open-store.ts";
import { makeDatabaseLimiter } from "../../../src/store/orgs/key-limiter.ts";

/** The order for a child process of the limiter test. */
export type Order = {
  address?: Address;
  redis?: string;
  key: string;
  limit: number;
  windowMs: number;
  clients: number;
  /** Epoch milliseconds. */
  until: number;
};

/** An admitted hit happened between these two times. */
export type Hit = [asked: number, answered: number];

const now = () => performance.timeOrigin + performance.now();

process.once("message", async (order: Order) => {
  const { limiter, close } = open(order);
  const hits: Hit[] = [];
  let refused = 0;
  await Promise.all(
    Array.from({ length: order.clients }, async () => {
      while (now() < order.until) {
        const asked = now();
        const { isAdmitted } = await limiter.admit(order.key, order.limit);
        if (isAdmitted) hits.push([asked, now()]);
        else refused++;
      }
    }),
  );
  await close();
  process.send?.({ hits, refused }, () => process.disconnect());
});
process.send?.("ready");

function open({ address, redis, windowMs }: Order) {
  if (address) {
    const store = openStore(address, makeLog("silent"), { max: 4 });
    return { limiter: makeDatabaseLimiter(store.pool, windowMs), close: () => store.close() };
  }
  const client = new Redis(redis ?? "");
  return { limiter: makeRedisLimiter(client, windowMs), close: async () => client.disconnect() };
}
