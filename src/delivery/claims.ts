import type { App } from "../app.ts";
import { channelOf } from "../channels/index.ts";
import {
  type Claimed,
  claimDeliveries,
  requeueUnattempted,
  requeueUnconfirmed,
  type WaitingChannel,
} from "../store/delivery/delivery-queue.ts";

/** The maximum duration of a channel's turn. */
export const turnMs = 10_000;
const messagesPerTurn = 50;
const retryMs = 500;

/** The deliveries that one worker has claimed: takes them from the queue and returns those it does not try. */
export class Claims {
  private readonly app: App;
  private readonly worker_id: string;
  /** Claimed and not tried, and not yet returned to the queue. */
  private readonly unreturned = new Set<Claimed>();
  private isStopping = false;

  constructor(app: App, worker_id: string) {
    this.app = app;
    this.worker_id = worker_id;
  }

  stop(): void {
    this.isStopping = true;
  }

  /** Claims messages of the given channels, up to one turn each. */
  async claim(picked: WaitingChannel[]): Promise<Claimed[]> {
    const wanted = picked.map(({ channel_id, type }) => ({ channel_id, limit: turnSize(type) }));
    try {
      const claimed = await claimDeliveries(this.app.db, this.worker_id, wanted, this.app.clock.now());
      await this.app.faults.hit("delivery.after_claim");
      return claimed;
    } catch (error) {
      // The claim may have been committed although its reply was lost.
      await this.returnUnknown(picked.map(({ channel_id }) => channel_id));
      throw error;
    }
  }

  /** Returns untried deliveries to the queue, also those of earlier calls that failed: no other worker would send them. */
  async giveBack(untried: Claimed[]): Promise<void> {
    for (const message of untried) this.unreturned.add(message);
    const all = [...this.unreturned];
    await requeueUnattempted(this.app.db, this.worker_id, all);
    for (const message of all) this.unreturned.delete(message);
  }

  /** Retries until it succeeds: unknown claims would block their channels for as long as this worker lives. */
  private async returnUnknown(channel_ids: string[]): Promise<void> {
    while (!this.isStopping) {
      const isDone = await requeueUnconfirmed(this.app.db, this.worker_id, channel_ids).then(
        () => true,
        () => false,
      );
      if (isDone) return;
      await this.app.clock.sleep(retryMs);
    }
  }
}

/** Returns how many messages a channel can be sent per turn; 0 for an unknown type. */
function turnSize(type: string): number {
  const kind = channelOf(type);
  if (!kind) return 0;
  return Math.max(1, Math.min(messagesPerTurn, Math.floor(turnMs / Math.max(kind.spacingMs, 1))));
}
