import type { Redis } from "ioredis";
import { type Admission, type Limiter, windowMs } from "./limiter.ts";

/**
 * One script makes check and count atomic, by the clock of Redis. The list holds the admitted hits of the window in
 * microseconds, oldest first.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local length = tonumber(ARGV[2]) * 1000
local limit = tonumber(ARGV[1])
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - length do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local count = redis.call('LLEN', KEYS[1])
if count >= limit then
  local wait = tonumber(redis.call('LINDEX', KEYS[1], count - limit)) + length - now
  return {0, 0, wait, wait}
end
redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {1, limit - count - 1, 0, tonumber(oldest or now) + length - now}`;

/**
 * Windows in Redis or Valkey, for any number of processes. While it is unreachable nothing is admitted, since the
 * limit is exact.
 */
export function makeRedisLimiter(redis: Redis, lengthMs = windowMs): Limiter {
  redis.defineCommand("admitHit", { numberOfKeys: 1, lua: script });
  const run = redis as unknown as {
    admitHit(key: string, limit: number, lengthMs: number): Promise<[number, number, number, number]>;
  };
  return {
    async admit(key, limit): Promise<Admission> {
      const [admitted, remaining, wait, reset] = await run.admitHit(`tocsin:window:${key}`, limit, lengthMs);
      return { isAdmitted: admitted === 1, remaining, waitMs: wait / 1000, resetMs: reset / 1000 };
    },
    close: async () => undefined,
  };
}
