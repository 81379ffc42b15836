import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import type { KeyCaller } from "../../domain/caller.ts";
import { AppError } from "../../errors/app-error.ts";
import { windowMs } from "../../lib/limiter/limiter.ts";
import { tierLimits } from "../../tiers.ts";

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** The key of each request that came with a good one, so that its answer can be counted. */
const keys = new WeakMap<FastifyRequest, KeyCaller>();

/** Lets a key's request through its window, or refuses it with the time to wait. Every answer says how the window stands. */
export async function admitKey(
  app: App,
  key: KeyCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  keys.set(request, key);
  const limit = tierLimits[key.tier].keyRequests;
  const { isAdmitted, remaining, waitMs, resetMs } = await admit(app, key.key_id, limit);
  reply.header("ratelimit-policy", `"key";q=${limit};w=${windowMs / 1000}`);
  reply.header("ratelimit", `"key";r=${remaining};t=${seconds(resetMs)}`);
  if (isAdmitted) return;
  const retryAfterSeconds = seconds(waitMs);
  throw new AppError(
    "rate_limited",
    `This key may make ${limit} requests a minute. Wait ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}

async function admit(app: App, key_id: string, limit: number) {
  try {
    return await app.limiter.admit(key_id, limit);
  } catch (cause) {
    // Letting requests through uncounted would break the limit's promise.
    throw new AppError("unavailable", "Requests cannot be counted at the moment. Try again.", {
      cause,
      retryAfterSeconds: 1,
    });
  }
}

/** Counts the answer for the key's usage, in memory. */
export function countUse(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const key = keys.get(request);
  if (key) app.usage.count(key, reply.statusCode, app.clock.now());
}
