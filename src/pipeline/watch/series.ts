import type { TimedReading } from "../../meters/meter.ts";
import { downsample } from "./downsample.ts";

/** Folding copies the whole array, so it waits for this many readings. */
const minReadingsToFold = 256;

/** The recent readings of one target or rule, oldest first. */
export class Series {
  private readings: TimedReading[] = [];
  /** The seconds that are kept before the newest reading. */
  private keepSeconds: number;
  /** The age from which readings are folded into minutes. */
  private singleSeconds = Number.POSITIVE_INFINITY;
  /** The number of readings at the start that are folded into minutes already. */
  private folded = 0;

  constructor(keepSeconds: number) {
    this.keepSeconds = keepSeconds;
  }

  /** Extends the retention to at least this many seconds. */
  keepFor(seconds: number): void {
    this.keepSeconds = Math.max(this.keepSeconds, seconds);
  }

  /** Folds older readings into one per minute, which bounds the size of a series that is only counted by the minute. */
  foldAfter(seconds: number): void {
    this.singleSeconds = seconds;
  }

  /** Returns whether the retention covers this many seconds, so that nothing needs to be loaded from the store. */
  reaches(seconds: number): boolean {
    return this.keepSeconds >= seconds;
  }

  add(reading: TimedReading): void {
    this.readings.push(reading);
  }

  /** Inserts readings of earlier blocks before all others. */
  addOlder(older: TimedReading[]): void {
    const first = this.readings[0]?.height ?? Number.POSITIVE_INFINITY;
    this.readings = [...older.filter(({ height }) => height < first), ...this.readings];
    this.folded = 0;
  }

  get newest(): TimedReading | undefined {
    return this.readings.at(-1);
  }

  /** Returns the readings that have the time of the newest one. */
  get latest(): TimedReading[] {
    return this.readings.slice(this.firstAfter((this.newest?.time ?? 0) - 1));
  }

  get isEmpty(): boolean {
    return this.readings.length === 0;
  }

  /** Returns the readings after `from` and not after `to`. */
  between(from: number, to: number): TimedReading[] {
    return this.readings.slice(this.firstAfter(from), this.firstAfter(to));
  }

  /** Returns the newest reading at or before a time: the value at that time. */
  at(time: number): TimedReading | undefined {
    return this.readings[this.firstAfter(time) - 1];
  }

  /** Returns the first reading after a time. */
  nextAfter(time: number): TimedReading | undefined {
    return this.readings[this.firstAfter(time)];
  }

  /** Drops the readings above a height, for a reorganisation. Blocks may share a time, never a height. */
  rollBackTo(height: number): { hasDropped: boolean } {
    const before = this.readings.length;
    while ((this.newest?.height ?? 0) > height) this.readings.pop();
    this.folded = Math.min(this.folded, this.readings.length);
    return { hasDropped: this.readings.length < before };
  }

  /** Drops readings that no window reaches, except the last one before, which changes are measured from. */
  trim(now: number): void {
    const first = this.firstAfter(now - this.keepSeconds) - 1;
    // Moving the rest costs more than keeping a few readings too many.
    if (first > 64 && first > this.readings.length / 2) {
      this.readings.splice(0, first);
      this.folded = Math.max(0, this.folded - first);
    }
    this.fold(now);
  }

  private fold(now: number): void {
    const firstSecond = Math.floor((now - this.singleSeconds) / 60) * 60;
    const end = this.firstAfter(firstSecond - 1);
    if (end - this.folded < minReadingsToFold) return;
    const minutes = downsample(this.readings.slice(this.folded, end), 60);
    this.readings = [...this.readings.slice(0, this.folded), ...minutes, ...this.readings.slice(end)];
    this.folded += minutes.length;
  }

  /** Bisection works because block times never decrease along a chain. */
  private firstAfter(time: number): number {
    let low = 0;
    let high = this.readings.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.readings[middle] as TimedReading).time <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
