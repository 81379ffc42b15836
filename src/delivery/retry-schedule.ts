import { type App, inSeconds } from "../app.ts";
import { backoffAfter } from "../lib/concurrency/exponential-backoff.ts";
import { makeRetrySchedule } from "../lib/concurrency/retry-schedule.ts";

const schedule = makeRetrySchedule([5, 30, 120, 600, 3_600, 21_600, 86_400]);

export const { lastAttempt } = schedule;

/** An undelivered message older than this is given up: an alert that late is of no use. */
export const maxQueuedSeconds = 3 * 86_400;

/** The longest that a provider's Retry-After is honoured. */
const maxRetryAfterSeconds = 3_600;

/** Returns when to try again after the given attempt, not before the provider allows it; undefined after the last. */
export function nextAttemptAt(app: App, attempt: number, retryAfterSeconds = 0): Date | undefined {
  const wait = schedule.waitSeconds(attempt);
  if (wait === undefined) return undefined;
  return inSeconds(app, Math.max(jitter(app, wait), limitRetryAfter(retryAfterSeconds)));
}

/** Up to a fifth more or less, so that messages that failed together do not return together. */
function jitter(app: App, seconds: number): number {
  const fraction = app.random.bytes(4).readUInt32BE() / 2 ** 32;
  return seconds * (0.8 + 0.4 * fraction);
}

/** Limits a provider's Retry-After to a sensible range. */
export function limitRetryAfter(seconds: number): number {
  return Math.min(Math.max(seconds, 0), maxRetryAfterSeconds);
}

const toleratedFailures = 2;
const channelPauseSeconds = { first: 5, max: 300 };

/** Returns how long to pause a channel after this many failed attempts in a row; a few are tolerated. */
export function pauseSeconds(failures: number): number {
  return failures <= toleratedFailures ? 0 : backoffAfter(failures - toleratedFailures, channelPauseSeconds);
}
