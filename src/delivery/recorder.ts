import type { App } from "../app.ts";
import { type ChannelHealthUpdate, recordChannelHealth } from "../store/channels/channels.ts";
import { urgentTransaction } from "../store/connection/urgent-transaction.ts";
import { cancelQueued, type Result, recordResults } from "../store/delivery/delivery-results.ts";

/** The result of an attempt and its effect on the channel's health; null when there is none. */
export type Recorded = { result: Result; health: ChannelHealthUpdate | null };

const batch = 500;
const retryMs = 500;
/** Results arrive one by one; a short wait combines them into one transaction. */
const gatherMs = 15;

/**
 * Records results in batches: while one is written, the next one collects. A failed write is retried, because a lost result
 * means that the message is sent twice.
 */
export class Recorder {
  private readonly app: App;
  private readonly worker_id: string;
  private readonly waiting: { recorded: Recorded; done: () => void }[] = [];
  private isWriting = false;
  private isLastTry = false;

  constructor(app: App, worker_id: string) {
    this.app = app;
    this.worker_id = worker_id;
  }

  /** Resolves when the result is written. */
  record(recorded: Recorded): Promise<void> {
    const written = new Promise<void>((done) => this.waiting.push({ recorded, done }));
    if (!this.isWriting) void this.writeAll();
    return written;
  }

  /** From now on a failed write is not retried. */
  stopRetrying(): void {
    this.isLastTry = true;
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      if (this.waiting.length < batch && !this.isLastTry) await this.app.clock.sleep(gatherMs);
      const results = this.waiting.splice(0, batch);
      await this.writeUntilDone(results.map(({ recorded }) => recorded));
      for (const { done } of results) done();
    }
    this.isWriting = false;
  }

  private async writeUntilDone(results: Recorded[]): Promise<void> {
    for (;;) {
      try {
        return await this.write(results);
      } catch (error) {
        this.app.log.warn({ err: error, results: results.length }, "delivery results not recorded");
        if (this.isLastTry) return;
        await this.app.clock.sleep(retryMs);
      }
    }
  }

  private async write(results: Recorded[]): Promise<void> {
    await this.app.faults.hit("delivery.before_record");
    await urgentTransaction(this.app, async (tx) => {
      const counted = await recordResults(
        tx,
        this.worker_id,
        results.map(({ result }) => result),
      );
      const health = mergeHealth(results.filter(({ result }) => counted.has(result.id)));
      // Locking in a fixed order prevents deadlocks between workers.
      health.sort((a, b) => (a.channel_id < b.channel_id ? -1 : 1));
      await recordChannelHealth(tx, health, this.app.clock.now());
      const dead = health.filter(({ is_dead }) => is_dead);
      for (const { channel_id, error } of dead)
        await cancelQueued(tx, [channel_id], "failed", deadReason(error));
    });
  }
}

function deadReason(error: string | null): string {
  return `The channel is disabled: ${error ?? "its configuration must be changed."}`;
}

/** Merges results into one update per channel: the latest state, and the failures since the last success. */
function mergeHealth(results: Recorded[]): ChannelHealthUpdate[] {
  const merged = new Map<string, ChannelHealthUpdate>();
  for (const { health } of results) {
    if (!health) continue;
    const before = merged.get(health.channel_id);
    merged.set(health.channel_id, before ? addHealth(before, health) : health);
  }
  return [...merged.values()];
}

function addHealth(before: ChannelHealthUpdate, health: ChannelHealthUpdate): ChannelHealthUpdate {
  return {
    ...health,
    succeeded: before.succeeded || health.succeeded,
    failures: health.succeeded ? 0 : before.failures + health.failures,
    gave_up: health.succeeded ? false : before.gave_up || health.gave_up,
    is_dead: before.is_dead || health.is_dead,
  };
}
