import { createHash } from "node:crypto";
import type { Clock } from "../../src/lib/clock.ts";
import type { Dice } from "../pipeline/dice.ts";

/** A simulated process. A dead one is never resumed, a paused one not before `pausedUntil`. */
export type Actor = { name: string; isDead: boolean; pausedUntil: number };

type Waiter = { actor: Actor; label: string; at: number; resume(): void };

/**
 * Runs simulated processes one at a time, in an order and at a time that the seed decides. A process waits here before
 * everything that another process could interleave with: a query, a request to a node, a timer.
 */
export class Scheduler {
  /** Simulated milliseconds. */
  now = Date.UTC(2026, 0, 1);
  private readonly dice: Dice;
  private readonly waiters: Waiter[] = [];
  private readonly trace = createHash("sha256");
  /** Queries that PostgreSQL is executing. The simulated time stops meanwhile. */
  private inFlight = 0;
  private onQuiet: (() => void) | undefined;

  constructor(dice: Dice) {
    this.dice = dice;
  }

  /** Suspends an actor until the scheduler resumes it, at the earliest after a delay. */
  wait(actor: Actor, label: string, ms = 0, signal?: AbortSignal): Promise<void> {
    return new Promise((resume) => {
      const waiter = { actor, label, at: this.now + ms, resume };
      const wake = () => {
        waiter.at = Math.min(waiter.at, this.now);
      };
      if (signal?.aborted) wake();
      signal?.addEventListener("abort", wake, { once: true });
      this.waiters.push(waiter);
    });
  }

  /** Does real work for a simulated process; nothing else runs until it is done. */
  async perform<Result>(work: () => Promise<Result>): Promise<Result> {
    this.inFlight++;
    try {
      return await work();
    } finally {
      if (--this.inFlight === 0) this.onQuiet?.();
    }
  }

  /** Resumes one process and returns when every process waits again; false when none can ever continue. */
  async step(): Promise<boolean> {
    await this.quiet();
    const waiter = this.pick();
    if (!waiter) return false;
    this.waiters.splice(this.waiters.indexOf(waiter), 1);
    this.record(`${waiter.actor.name} ${waiter.label}`);
    waiter.resume();
    await this.quiet();
    return true;
  }

  clock(actor: Actor): Clock {
    return {
      now: () => new Date(this.now),
      sleep: (ms, signal) => this.wait(actor, "sleep", ms, signal),
    };
  }

  record(line: string): void {
    this.trace.update(`${this.now} ${line}\n`);
    if (process.env.SIM_TRACE) process.stdout.write(`${this.now % 10_000_000} ${line}\n`);
  }

  /** A digest of everything that happened: the same for the same seed. */
  digest(): string {
    return this.trace.copy().digest("hex");
  }

  private pick(): Waiter | undefined {
    const alive = this.waiters.filter(({ actor }) => !actor.isDead);
    const readyAt = ({ at, actor }: Waiter) => Math.max(at, actor.pausedUntil);
    const next = Math.min(...alive.map(readyAt));
    if (next === Number.POSITIVE_INFINITY) return undefined;
    this.now = Math.max(this.now, next);
    return this.dice.pick(alive.filter((waiter) => readyAt(waiter) <= this.now));
  }

  private async quiet(): Promise<void> {
    do {
      if (this.inFlight > 0) await new Promise<void>((resolve) => (this.onQuiet = resolve));
      // What the last query's caller does next happens in microtasks, which end before this.
      await new Promise(setImmediate);
    } while (this.inFlight > 0);
  }
}
