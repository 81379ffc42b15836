import type { Redis } from "ioredis";
import type { BusTransport } from "./shared-bus.ts";

const channel = "tocsin:hints";

/** Lines over Redis' publish and subscribe; it subscribes again by itself after a break. */
export function makeRedisTransport(redis: Redis): BusTransport {
  // A connection that listens can do nothing else.
  const ears = redis.duplicate({
    maxRetriesPerRequest: null,
    enableOfflineQueue: true,
    commandTimeout: undefined,
  });
  ears.on("error", () => undefined);
  return {
    send: async (line) => void (await redis.publish(channel, line)),
    listen(listener) {
      ears.on("message", (_channel, line) => listener(line));
      ears.subscribe(channel).catch(() => undefined);
    },
    close: async () => ears.disconnect(),
  };
}
