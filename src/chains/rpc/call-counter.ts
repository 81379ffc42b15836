import type { Clock } from "../../lib/clock.ts";

/** Calls of one method to one endpoint on one day (UTC). `endpoint` is its position in the settings, from 1. */
export type CountedCalls = { day: string; endpoint: number; host: string; method: string; calls: number };

/** A completed request by its first method. `outcome` is "ok" or the kind of its worst failure. */
export type CompletedRequest = { host: string; method: string; seconds: number; outcome: string };

/** Receives each call and each completed request, for metrics. */
export type CallObserver = {
  onCall?: (host: string, method: string) => void;
  onRequest?: (request: CompletedRequest) => void;
};

/** Counts the calls to the endpoints of a chain. Thousands of calls a second must not cost more than an addition each. */
export class CallCounter {
  private readonly clock: Clock;
  private readonly observer: CallObserver;
  private readonly unwritten = new Map<string, CountedCalls>();
  private day: string;
  private total = 0;

  constructor(clock: Clock, observer: CallObserver = {}) {
    this.clock = clock;
    this.observer = observer;
    this.day = dayOf(clock.now());
  }

  count({ endpoint, host }: { endpoint: number; host: string }, method: string): void {
    this.startDay();
    this.total += 1;
    this.observer.onCall?.(host, method);
    const key = `${this.day} ${endpoint} ${host} ${method}`;
    const counted = this.unwritten.get(key);
    if (counted) counted.calls += 1;
    else this.unwritten.set(key, { day: this.day, endpoint, host, method, calls: 1 });
  }

  /** Reports a completed request. */
  observe(request: CompletedRequest): void {
    this.observer.onRequest?.(request);
  }

  /** Sets the calls of a day that all processes have written, beside which those here are not written yet. */
  setWritten(calls: number, day: string): void {
    this.startDay();
    if (day !== this.day) return;
    this.total = calls;
    for (const countedCalls of this.unwritten.values())
      if (countedCalls.day === day) this.total += countedCalls.calls;
  }

  /** The number of calls today. */
  today(): number {
    this.startDay();
    return this.total;
  }

  /** Removes and returns the calls that are not written yet. */
  removeUnwritten(): CountedCalls[] {
    const taken = [...this.unwritten.values()];
    this.unwritten.clear();
    return taken;
  }

  /** Returns calls that could not be written. */
  putBack(counted: readonly CountedCalls[]): void {
    for (const countedCalls of counted) {
      const key = `${countedCalls.day} ${countedCalls.endpoint} ${countedCalls.host} ${countedCalls.method}`;
      const counted = this.unwritten.get(key);
      if (counted) counted.calls += countedCalls.calls;
      else this.unwritten.set(key, countedCalls);
    }
  }

  private startDay(): void {
    const day = dayOf(this.clock.now());
    if (day === this.day) return;
    this.day = day;
    this.total = 0;
  }
}

/** The counters of a process, one for each chain: for the engine and for requests. */
export class CallCounters {
  private readonly counters = new Map<string, CallCounter>();
  private readonly clock: Clock;
  private readonly observerOf: (chain: string) => CallObserver;

  constructor(clock: Clock, observerOf: (chain: string) => CallObserver) {
    this.clock = clock;
    this.observerOf = observerOf;
  }

  of(chain: string): CallCounter {
    const counter = this.counters.get(chain);
    if (counter) return counter;
    const created = new CallCounter(this.clock, this.observerOf(chain));
    this.counters.set(chain, created);
    return created;
  }

  all(): ReadonlyMap<string, CallCounter> {
    return this.counters;
  }
}

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
