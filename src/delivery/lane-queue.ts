import type { App } from "../app.ts";
import type { Claimed } from "../store/delivery/delivery-queue.ts";
import { readMessages } from "./read-messages.ts";
import type { QueuedMessage } from "./send-attempt.ts";

/** Few, because the first messages of many channels are read together. */
const alertsAtFirst = 5;
/** The maximum of alerts that one channel holds in memory. An alert may be as large as 64 KiB, and a message has up to twenty. */
const alertsPerRead = 20;

/** The claimed messages of one channel, which are read in small groups. */
export class LaneQueue {
  private readonly app: App;
  /** Read and not sent. */
  private readonly ready: QueuedMessage[] = [];
  private readonly unread: Claimed[];

  private constructor(app: App, claimed: Claimed[]) {
    this.app = app;
    this.unread = claimed;
  }

  /** Opens the queues of several channels and reads their first messages together. */
  static async openAll(app: App, claimed: Claimed[][]): Promise<LaneQueue[]> {
    const queues = claimed.map((ofChannel) => new LaneQueue(app, ofChannel));
    const first = queues.map((queue) => queue.takeUnread(alertsAtFirst));
    const messages = await readMessages(app, first.flat());
    let start = 0;
    for (const [index, queue] of queues.entries()) {
      const end = start + (first[index]?.length ?? 0);
      queue.ready.push(...messages.slice(start, end));
      start = end;
    }
    return queues;
  }

  /** True if the next message has to be read. */
  get mustRead(): boolean {
    return this.ready.length === 0 && this.unread.length > 0;
  }

  /** Reads the next group. It stays unread if that fails. */
  async read(): Promise<void> {
    const group = this.takeUnread(alertsPerRead);
    try {
      this.ready.push(...(await readMessages(this.app, group)));
    } catch (error) {
      this.unread.unshift(...group);
      throw error;
    }
  }

  get next(): QueuedMessage | undefined {
    return this.ready[0];
  }

  /** Removes the next message, because it is tried now. */
  remove(): void {
    this.ready.shift();
  }

  get isEmpty(): boolean {
    return this.ready.length === 0 && this.unread.length === 0;
  }

  get untried(): Claimed[] {
    return [...this.ready.map(({ claimed }) => claimed), ...this.unread];
  }

  /** Takes as many messages as have so many alerts together, and at least one. */
  private takeUnread(alerts: number): Claimed[] {
    let [count, total] = [0, 0];
    for (const claimed of this.unread) {
      total += claimed.alerts;
      if (count > 0 && total > alerts) break;
      count += 1;
    }
    return this.unread.splice(0, count);
  }
}
