import { isDeepStrictEqual } from "node:util";
import type { Read, ReadResult } from "../../chains/block.ts";
import type { Problem, Reading, TimedReading } from "../../meters/meter.ts";
import type { WatchedTarget } from "../watch/watch-list.ts";

type Context = { time: number; height: number; previous: TimedReading | undefined };

/** What a poll read, and the reading that it was interpreted as after an equal reading. */
type Unchanged = {
  subject: object;
  reads: readonly Read[];
  results: readonly ReadResult[];
  reading: Reading;
};

/**
 * The state of targets that did not change between two polls. Most state does not change, and interpreting equal results after an
 * equal reading gives that reading again, so that it need not be decoded again. The readings share their evidence, which keeps the
 * memory of long windows small.
 */
export class UnchangedState {
  private readonly unchanged = new WeakMap<WatchedTarget, Unchanged>();

  /** Returns the reads of a poll. */
  reads(target: WatchedTarget, previous: TimedReading | undefined): readonly Read[] {
    const unchanged = this.find(target, previous);
    return unchanged?.reads ?? readsOf(target, previous);
  }

  /** Returns the reading of a poll, or why there is none. */
  interpret(
    target: WatchedTarget,
    results: readonly ReadResult[],
    context: Context,
  ): Reading | Problem | undefined {
    const unchanged = this.find(target, context.previous);
    if (unchanged && areEqual(unchanged.results, results)) return unchanged.reading;
    const { meter, config, contract } = target;
    const reading = meter.interpret?.(config, [...results], contract.subject, context);
    if (!reading || "problem" in reading || meter.dependsOnTime) return reading;
    return this.remember(target, results, reading, context.previous);
  }

  private remember(
    target: WatchedTarget,
    results: readonly ReadResult[],
    reading: Reading,
    previous: TimedReading | undefined,
  ): Reading {
    const { value, evidence } = previous ?? {};
    if (!evidence || value !== reading.value || !isDeepStrictEqual(evidence, reading.evidence))
      return reading;
    const { subject } = target.contract;
    const kept = { ...reading, evidence };
    this.unchanged.set(target, { subject, reads: readsOf(target, previous), results, reading: kept });
    return kept;
  }

  /** A reorganisation or an event may have replaced the reading before, and an upgrade the interface. */
  private find(target: WatchedTarget, previous: TimedReading | undefined): Unchanged | undefined {
    const unchanged = this.unchanged.get(target);
    if (!unchanged || !previous || unchanged.subject !== target.contract.subject) return undefined;
    const { value, evidence } = unchanged.reading;
    return evidence === previous.evidence && value === previous.value ? unchanged : undefined;
  }
}

function readsOf(
  { meter, config, contract }: WatchedTarget,
  previous: TimedReading | undefined,
): readonly Read[] {
  return meter.reads?.(config, contract.subject, previous) ?? [];
}

/** Failures are interpreted again. */
function areEqual(before: readonly ReadResult[], results: readonly ReadResult[]): boolean {
  return (
    before.length === results.length &&
    results.every((result, index) => {
      const other = before[index];
      return result.ok && other?.ok === true && result.data === other.data;
    })
  );
}
