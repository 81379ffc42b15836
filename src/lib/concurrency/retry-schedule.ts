/** A retry schedule: how long to wait after each failed attempt. */
export type RetrySchedule = {
  /** The attempt after which there is no other. */
  lastAttempt: number;
  /** Returns the seconds to wait after the given attempt, counted from 1; undefined after the last. */
  waitSeconds(attempt: number): number | undefined;
};

/** Builds a schedule from the wait after each attempt; the number of attempts is one more than the number of waits. */
export function makeRetrySchedule(waits: readonly number[]): RetrySchedule {
  return { lastAttempt: waits.length + 1, waitSeconds: (attempt) => waits[attempt - 1] };
}
