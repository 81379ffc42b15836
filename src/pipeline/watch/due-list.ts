/** The number of outdated entries from which they may be removed. */
const minOutdated = 1_000;

/** The ids that are due, each at a block time; a binary heap gives the next one. */
export class DueList {
  private heap: { time: number; id: string }[] = [];
  /** The current time of each id; heap entries with another time are outdated and skipped. */
  private readonly times = new Map<string, number>();

  /** Sets the time at which an id is due; null removes it. */
  set(id: string, time: number | null): void {
    if (time === null) return void this.times.delete(id);
    if (this.times.get(id) === time) return;
    this.times.set(id, time);
    this.push({ time, id });
    if (this.heap.length > 2 * this.times.size + minOutdated) this.compact();
  }

  /** Outdated entries would otherwise stay until their time, which may be days away. A sorted array is a heap. */
  private compact(): void {
    this.heap = Array.from(this.times, ([id, time]) => ({ time, id })).sort((a, b) => a.time - b.time);
  }

  timeOf(id: string): number | undefined {
    return this.times.get(id);
  }

  /** Returns the next time at which an id is due. */
  nextTime(): number | undefined {
    for (let next = this.heap[0]; next; next = this.heap[0]) {
      if (this.times.get(next.id) === next.time) return next.time;
      this.pop();
    }
    return undefined;
  }

  /** Removes and returns the ids that are due at a time, at most `max`. */
  take(now: number, max = Number.POSITIVE_INFINITY): string[] {
    const due: string[] = [];
    for (let next = this.heap[0]; next && next.time <= now && due.length < max; next = this.heap[0]) {
      this.pop();
      if (this.times.get(next.id) !== next.time) continue;
      this.times.delete(next.id);
      due.push(next.id);
    }
    return due;
  }

  private push(entry: { time: number; id: string }): void {
    let at = this.heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.timeAt(parent) <= entry.time) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  private pop(): void {
    const last = this.heap.pop();
    if (!last || this.heap.length === 0) return;
    this.heap[0] = last;
    for (let at = 0; ; ) {
      const left = at * 2 + 1;
      const smaller = this.timeAt(left + 1) < this.timeAt(left) ? left + 1 : left;
      if (this.timeAt(smaller) >= last.time) return;
      this.swap(at, smaller);
      at = smaller;
    }
  }

  private timeAt(index: number): number {
    return this.heap[index]?.time ?? Number.POSITIVE_INFINITY;
  }

  private swap(a: number, b: number): void {
    const [first, second] = [this.heap[a], this.heap[b]];
    if (!first || !second) return;
    this.heap[a] = second;
    this.heap[b] = first;
  }
}
