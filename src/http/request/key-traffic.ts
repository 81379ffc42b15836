import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import type { KeyCaller } from "../../domain/caller.ts";
import { AppError } from "../../errors/app-error.ts";
import { windowMs } from "../../lib/limiter/limiter.ts";
import { tierLimits } from "../../tiers.ts";
import { rateLimitHeaders } from "../reply/headers.ts";

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** The key of each authenticated request, for counting its reply. */
const keys = new WeakMap<FastifyRequest, KeyCaller>();

/** The admitted request on behalf of which operations run. */
const admissions = new AsyncLocalStorage<FastifyRequest>();

/** Runs operations on behalf of an admitted request: the first counts as that request, each further one as one more. */
export function withAdmissionOf<Result>(
  request: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  return admissions.run(request, work);
}

/** True once for the request on behalf of which this one runs. From then on, this one is counted in its place. */
function replacesAdmission(): boolean {
  const outer = admissions.getStore();
  return outer !== undefined && keys.delete(outer);
}

/** Applies the rate limit of a key and sets the rate limit headers; rejects with 429 and the time to wait. */
export async function admitKey(
  app: App,
  key: KeyCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  keys.set(request, key);
  if (replacesAdmission()) return;
  const limit = tierLimits[key.tier].keyRequests;
  const { isAdmitted, remaining, waitMs, resetMs } = await admit(app, key.key_id, limit);
  const window = { name: "key", limit, seconds: windowMs / 1000 };
  reply.headers(rateLimitHeaders(window, remaining, seconds(resetMs)));
  if (isAdmitted) return;
  const retryAfterSeconds = seconds(waitMs);
  throw new AppError(
    "rate_limited",
    `Rate limit of ${limit} requests per minute exceeded. Retry in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}

async function admit(app: App, key_id: string, limit: number) {
  try {
    return await app.limiter.admit(key_id, limit);
  } catch (cause) {
    // Admitting uncounted requests would violate the limit.
    throw new AppError("unavailable", "The rate limiter is temporarily unavailable. Try again.", {
      cause,
      retryAfterSeconds: 1,
    });
  }
}

/** Counts the reply in the usage of the key, in memory. */
export function countUse(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const key = keys.get(request);
  if (key) app.usage.count(key, reply.statusCode, app.clock.now());
}
