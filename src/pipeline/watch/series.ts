import type { TimedReading } from "../../meters/meter.ts";
import { downsample } from "./downsample.ts";

/** How many readings are worth the moving of all others. */
const worthFolding = 256;

/** The recent readings of one target or rule, oldest first. */
export class Series {
  private readings: TimedReading[] = [];
  /** Seconds that are kept before the newest reading. */
  private keepSeconds: number;
  /** How long readings are kept one by one. */
  private singleSeconds = Number.POSITIVE_INFINITY;
  /** How many of the oldest are minutes already. */
  private folded = 0;

  constructor(keepSeconds: number) {
    this.keepSeconds = keepSeconds;
  }

  /** Keeps at least this much from now on. */
  keepFor(seconds: number): void {
    this.keepSeconds = Math.max(this.keepSeconds, seconds);
  }

  /** Keeps of what is older only what each minute came to: enough for who counts by the minute, however much happens. */
  foldAfter(seconds: number): void {
    this.singleSeconds = seconds;
  }

  /** Whether it keeps as much, so that what it holds is all there is. */
  reaches(seconds: number): boolean {
    return this.keepSeconds >= seconds;
  }

  add(reading: TimedReading): void {
    this.readings.push(reading);
  }

  /** Puts in front what was read before all that it holds. */
  addOlder(older: TimedReading[]): void {
    const first = this.readings[0]?.height ?? Number.POSITIVE_INFINITY;
    this.readings = [...older.filter(({ height }) => height < first), ...this.readings];
    this.folded = 0;
  }

  get newest(): TimedReading | undefined {
    return this.readings.at(-1);
  }

  get isEmpty(): boolean {
    return this.readings.length === 0;
  }

  /** The readings after `from` and not after `to`. */
  between(from: number, to: number): TimedReading[] {
    return this.readings.slice(this.firstAfter(from), this.firstAfter(to));
  }

  /** The newest reading at or before a time: what the value was then. */
  at(time: number): TimedReading | undefined {
    return this.readings[this.firstAfter(time) - 1];
  }

  /** The first reading after a time. */
  nextAfter(time: number): TimedReading | undefined {
    return this.readings[this.firstAfter(time)];
  }

  /** Forgets what was read above a height, as a reorganisation demands. Blocks may share a time, never a height. */
  rollBackTo(height: number): { hasLost: boolean } {
    const before = this.readings.length;
    while ((this.newest?.height ?? 0) > height) this.readings.pop();
    this.folded = Math.min(this.folded, this.readings.length);
    return { hasLost: this.readings.length < before };
  }

  /** Forgets what no window reaches any more, but keeps the last value before, which changes are measured from. */
  trim(now: number): void {
    const first = this.firstAfter(now - this.keepSeconds) - 1;
    // Moving the rest costs more than keeping a little too much.
    if (first > 64 && first > this.readings.length / 2) {
      this.readings.splice(0, first);
      this.folded = Math.max(0, this.folded - first);
    }
    this.fold(now);
  }

  private fold(now: number): void {
    const firstSecond = Math.floor((now - this.singleSeconds) / 60) * 60;
    const end = this.firstAfter(firstSecond - 1);
    if (end - this.folded < worthFolding) return;
    const minutes = downsample(this.readings.slice(this.folded, end), 60);
    this.readings = [...this.readings.slice(0, this.folded), ...minutes, ...this.readings.slice(end)];
    this.folded += minutes.length;
  }

  /** By bisection: block times never fall along a chain. */
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
