import type { App } from "../app.ts";
import { type ChannelHealthUpdate, recordChannelHealth } from "../store/channels/channels.ts";
import { cancelQueued, type Result, recordResults } from "../store/delivery/delivery-results.ts";

/** How an attempt ended, and what that says of its channel; null where it says nothing. */
export type Recorded = { result: Result; health: ChannelHealthUpdate | null };

const batch = 500;
const againMs = 500;
/** Results come one by one: a moment's wait makes one transaction of what would be many, which others would wait for. */
const gatherMs = 15;

/**
 * Puts results on record, many at once: while one batch is being written the next one gathers. A database that is away is
 * waited for, since a result that is lost means a message sent twice.
 */
export class Recorder {
  private readonly app: App;
  private readonly worker_id: string;
  private readonly waiting: { one: Recorded; done: () => void }[] = [];
  private isWriting = false;
  private isGivingUp = false;

  constructor(app: App, worker_id: string) {
    this.app = app;
    this.worker_id = worker_id;
  }

  /** Resolves when it is on record. */
  record(one: Recorded): Promise<void> {
    const recorded = new Promise<void>((done) => this.waiting.push({ one, done }));
    if (!this.isWriting) void this.writeAll();
    return recorded;
  }

  /** From now on a database that is away is not waited for. */
  giveUp(): void {
    this.isGivingUp = true;
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      if (this.waiting.length < batch && !this.isGivingUp) await this.app.clock.sleep(gatherMs);
      const some = this.waiting.splice(0, batch);
      await this.writeUntilDone(some.map(({ one }) => one));
      for (const { done } of some) done();
    }
    this.isWriting = false;
  }

  private async writeUntilDone(some: Recorded[]): Promise<void> {
    for (;;) {
      try {
        return await this.write(some);
      } catch (error) {
        this.app.log.warn({ err: error, results: some.length }, "results of deliveries were not recorded");
        if (this.isGivingUp) return;
        await this.app.clock.sleep(againMs);
      }
    }
  }

  private async write(some: Recorded[]): Promise<void> {
    await this.app.faults.hit("delivery.before_record");
    await this.app.db.transaction().execute(async (tx) => {
      const counted = await recordResults(
        tx,
        this.worker_id,
        some.map(({ result }) => result),
      );
      const health = mergeHealth(some.filter(({ result }) => counted.has(result.id)));
      // Always in the same order, so that two workers cannot wait for each other.
      health.sort((a, b) => (a.channel_id < b.channel_id ? -1 : 1));
      await recordChannelHealth(tx, health, this.app.clock.now());
      const dead = health.filter(({ is_dead }) => is_dead);
      for (const { channel_id, error } of dead)
        await cancelQueued(tx, [channel_id], "failed", deadReason(error));
    });
  }
}

function deadReason(error: string | null): string {
  return `The channel cannot be sent to: ${error ?? "it must be changed"}`;
}

/** One line a channel: what happened last counts, and what failed since it last worked. */
function mergeHealth(some: Recorded[]): ChannelHealthUpdate[] {
  const merged = new Map<string, ChannelHealthUpdate>();
  for (const { health } of some) {
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
