import type { App } from "../app.ts";
import type { Claimed } from "../store/delivery/delivery-queue.ts";
import { readMessages } from "./read-messages.ts";
import type { QueuedMessage } from "./send-attempt.ts";

/** An alert may be as large as 64 KiB, and a message has up to twenty. The first messages of many channels are read together. */
const alertsPerRead = 20;
/** As long as alerts are small. */
const smallAlertsPerRead = 100;
/** The length of the arguments in a group of small alerts. */
const maxSmallLength = 64 * 1024;

/** The claimed messages of one channel, which are read in groups, so that large ones do not fill the memory. */
export class LaneQueue {
  private readonly app: App;
  /** Read and not sent. */
  private readonly ready: QueuedMessage[] = [];
  private readonly unread: Claimed[];
  /** The number of alerts that the next group may have. */
  private groupSize = alertsPerRead;

  private constructor(app: App, claimed: Claimed[]) {
    this.app = app;
    this.unread = claimed;
  }

  /** Opens the queues of several channels and reads their first messages together. */
  static async openAll(app: App, claimed: Claimed[][]): Promise<LaneQueue[]> {
    const queues = claimed.map((ofChannel) => new LaneQueue(app, ofChannel));
    const first = queues.map((queue) => queue.takeUnread());
    const messages = await readMessages(app, first.flat());
    let start = 0;
    for (const [index, queue] of queues.entries()) {
      const end = start + (first[index]?.length ?? 0);
      queue.add(messages.slice(start, end));
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
    const group = this.takeUnread();
    try {
      this.add(await readMessages(this.app, group));
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

  private add(messages: QueuedMessage[]): void {
    this.ready.push(...messages);
    const length = messages.reduce((sum, { message }) => sum + argumentsLength(message), 0);
    this.groupSize = length <= maxSmallLength ? smallAlertsPerRead : alertsPerRead;
  }

  /** Takes as many messages as have the alerts of a group together, and at least one. */
  private takeUnread(): Claimed[] {
    let [count, alerts] = [0, 0];
    for (const claimed of this.unread) {
      alerts += claimed.alerts;
      if (count > 0 && alerts > this.groupSize) break;
      count += 1;
    }
    return this.unread.splice(0, count);
  }
}

/** The arguments of calls and events are the only part of an alert that can be large. */
function argumentsLength(message: QueuedMessage["message"]): number {
  const args = message?.alerts.flatMap(({ decoded }) => decoded?.args ?? []) ?? [];
  return args.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
}
