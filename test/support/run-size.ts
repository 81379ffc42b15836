import { test } from "vitest";

/** True in `npm run test:long`, for a step of a test that a short run omits. */
export const isLongRun = Boolean(process.env.TEST_LONG);

/** A test that only `npm run test:long` runs: it takes seconds, and a faster test covers the usual case. */
export const longTest = test.runIf(isLongRun);

/** The cases of a test: all of them in `npm run test:long`, and the essential ones in `npm test`. */
export function casesOf<Case>(
  cases: readonly Case[],
  isEssential: (one: Case, index: number) => boolean,
): readonly Case[] {
  return isLongRun ? cases : cases.filter(isEssential);
}

/**
 * How much a randomised test does: `short` in `npm test`, `long` in `npm run test:long`. The environment variable `name`
 * overrides both, so that one run can be made as long as wanted.
 */
export function runSize(name: string, { short, long }: { short: number; long: number }): number {
  return Number(process.env[name] ?? (process.env.TEST_LONG ? long : short));
}

/**
 * The seed of a randomised test: random in `npm run test:long`, and the same in each `npm test`, so that it stops no change
 * that is not the cause.
 */
export function seedOf(name: string): number {
  return Number(process.env[name] ?? (process.env.TEST_LONG ? Math.floor(Math.random() * 2 ** 31) : 1));
}
