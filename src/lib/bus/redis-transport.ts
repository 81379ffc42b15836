import type { Redis } from "ioredis";
import type { BusTransport } from "./shared-bus.ts";

const channel = "tocsin:hints";

/** A bus transport over Redis publish/subscribe. It resubscribes after a reconnect. */
export function makeRedisTransport(redis: Redis): BusTransport {
  // A subscribed connection cannot run other commands.
  const subscriber = redis.duplicate({
    maxRetriesPerRequest: null,
    enableOfflineQueue: true,
    commandTimeout: undefined,
  });
  subscriber.on("error", () => undefined);
  return {
    send: async (line) => void (await redis.publish(channel, line)),
    listen(listener) {
      subscriber.on("message", (_channel, line) => listener(line));
      subscriber.subscribe(channel).catch(() => undefined);
    },
    close: async () => subscriber.disconnect(),
  };
}
