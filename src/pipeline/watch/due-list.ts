/** An id in the heap. It knows its place, so that a new time moves it instead of leaving an outdated entry behind. */
type Entry = { id: string; time: number; place: number };

/** The ids that are due, each at a block time; a binary heap gives the next one. */
export class DueList {
  private readonly heap: Entry[] = [];
  private readonly entries = new Map<string, Entry>();

  /** Sets the time at which an id is due; null removes it. */
  set(id: string, time: number | null): void {
    const entry = this.entries.get(id);
    if (time === null) {
      if (entry) this.remove(entry);
    } else if (entry) this.move(entry, time);
    else this.add(id, time);
  }

  timeOf(id: string): number | undefined {
    return this.entries.get(id)?.time;
  }

  /** Returns the next time at which an id is due. */
  nextTime(): number | undefined {
    return this.heap[0]?.time;
  }

  /** Removes and returns the ids that are due at a time, at most `max`. */
  removeDue(now: number, max = Number.POSITIVE_INFINITY): string[] {
    const due: string[] = [];
    for (let next = this.heap[0]; next && next.time <= now && due.length < max; next = this.heap[0]) {
      this.remove(next);
      due.push(next.id);
    }
    return due;
  }

  private add(id: string, time: number): void {
    const entry = { id, time, place: this.heap.length };
    this.entries.set(id, entry);
    this.heap.push(entry);
    this.moveUp(entry);
  }

  private move(entry: Entry, time: number): void {
    const isEarlier = time < entry.time;
    entry.time = time;
    if (isEarlier) this.moveUp(entry);
    else this.moveDown(entry);
  }

  /** Fills the place with the last entry of the heap, which may have to move either way. */
  private remove(entry: Entry): void {
    this.entries.delete(entry.id);
    const last = this.heap.pop();
    if (!last || last === entry) return;
    this.put(last, entry.place);
    this.moveUp(last);
    this.moveDown(last);
  }

  private moveUp(entry: Entry): void {
    for (let parent = this.parentOf(entry); parent && parent.time > entry.time; parent = this.parentOf(entry))
      this.swap(entry, parent);
  }

  private moveDown(entry: Entry): void {
    for (let child = this.earlierChildOf(entry); child && child.time < entry.time; ) {
      this.swap(entry, child);
      child = this.earlierChildOf(entry);
    }
  }

  private parentOf({ place }: Entry): Entry | undefined {
    return place === 0 ? undefined : this.heap[(place - 1) >> 1];
  }

  private earlierChildOf({ place }: Entry): Entry | undefined {
    const left = this.heap[2 * place + 1];
    const right = this.heap[2 * place + 2];
    return left && right && right.time < left.time ? right : left;
  }

  private swap(a: Entry, b: Entry): void {
    const { place } = a;
    this.put(a, b.place);
    this.put(b, place);
  }

  private put(entry: Entry, place: number): void {
    this.heap[place] = entry;
    entry.place = place;
  }
}
