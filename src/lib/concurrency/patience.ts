import type { Clock } from "../clock.ts";

/**
 * Waits a little for work that nothing may depend on. Work that takes longer continues in the background, and nothing is
 * waited for again until some work has been quick.
 */
export class Patience {
  private readonly clock: Clock;
  private readonly maxMs: number;
  private remainingMs: number;
  private isSlow = false;

  constructor(clock: Clock, maxMs: number) {
    this.clock = clock;
    this.maxMs = maxMs;
    this.remainingMs = maxMs;
  }

  /** Starts a new period: within one, the waits add up to at most the maximum. */
  renew(): void {
    this.remainingMs = this.maxMs;
  }

  /** Returns the result of the work, or undefined when it did not settle in time. Rejects with the work. */
  async resultOf<Result>(work: Promise<Result>): Promise<Result | undefined> {
    let settled: { value: Result } | { error: unknown } | undefined;
    const observed = work.then(
      (value) => {
        settled = { value };
      },
      (error: unknown) => {
        settled = { error };
      },
    );
    await this.waitFor(observed);
    // The compiler does not see that the callbacks assign it.
    const outcome = settled as { value: Result } | { error: unknown } | undefined;
    if (outcome && "error" in outcome) throw outcome.error;
    return outcome?.value;
  }

  /** Resolves when the work has settled or when it has been waited for long enough. Never rejects. */
  async waitFor(work: Promise<unknown>): Promise<void> {
    const startedMs = this.nowMs();
    const waited = new AbortController();
    let isSettled = false;
    const settle = () => {
      isSettled = true;
      if (this.nowMs() - startedMs <= this.maxMs) this.isSlow = false;
      waited.abort();
    };
    work.then(settle, settle);
    if (this.isSlow || this.remainingMs <= 0) return;
    await this.clock.sleep(this.remainingMs, waited.signal);
    this.remainingMs -= this.nowMs() - startedMs;
    if (!isSettled) this.isSlow = true;
  }

  private nowMs(): number {
    return this.clock.now().getTime();
  }
}
