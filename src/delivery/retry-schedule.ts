import { type App, inSeconds } from "../app.ts";

/** How long to wait after each attempt that failed. After the last there is no other. */
const waitSeconds = [5, 30, 120, 600, 3_600, 21_600, 86_400];
export const lastAttempt = waitSeconds.length + 1;

/** Nobody wants an alert that is older, whatever has kept it. */
export const oldestSeconds = 3 * 86_400;

/** No provider is given more patience than this at a time. */
const maxBackoffSeconds = 3_600;

/** Up to a fifth more or less, so that what failed together does not come back together. */
function jitter(app: App, seconds: number): number {
  const chance = app.random.bytes(4).readUInt32BE() / 2 ** 32;
  return seconds * (0.8 + 0.4 * chance);
}

/** When to try again after the given attempt, and not before a provider's wish; undefined when that was the last. */
export function nextAttemptAt(app: App, attempt: number, afterSeconds = 0): Date | undefined {
  const wait = waitSeconds[attempt - 1];
  if (wait === undefined) return undefined;
  return inSeconds(app, Math.max(jitter(app, wait), lateAfterSeconds(afterSeconds)));
}

/** A provider's wish to be left alone for a while, within reason. */
export function lateAfterSeconds(afterSeconds: number): number {
  return Math.min(Math.max(afterSeconds, 0), maxBackoffSeconds);
}

/** How long to leave a channel alone after this many failed attempts in a row: one stumble is no reason, a fall is. */
export function restSeconds(failures: number): number {
  return failures < 3 ? 0 : Math.min(5 * 2 ** (failures - 3), 300);
}
