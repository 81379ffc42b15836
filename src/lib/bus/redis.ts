import { Redis } from "ioredis";
import type { Log } from "../log/log.ts";

/** A connection to Redis or Valkey that reconnects. While it is down, commands fail fast instead of queueing. */
export function openRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  let isAway = false;
  redis.on("error", (error) => {
    if (!isAway) log.warn({ err: error }, "redis connection lost");
    isAway = true;
  });
  redis.on("ready", () => {
    if (isAway) log.info("redis connection restored");
    isAway = false;
  });
  return redis;
}
