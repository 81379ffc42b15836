import { type App, newId } from "../app.ts";
import { channelOf } from "../channels/index.ts";
import {
  type Claimed,
  claimDeliveries,
  listWaiting,
  renewWorker,
  requeueLost,
  retireWorker,
  returnUnknown,
  returnUntried,
  type WaitingChannel,
} from "../store/delivery/delivery-queue.ts";
import { ChannelVersions } from "./channel-versions.ts";
import { type LaneLimits, pickLanes, RoundRobin } from "./pick-lanes.ts";
import { prepareLanes } from "./prepare-lanes.ts";
import { Recorder } from "./recorder.ts";
import { lastAttempt } from "./retry-schedule.ts";
import { type Lane, runLane } from "./send-lane.ts";

/** Short, so that what a dead process was sending is not left alone for long; renewed while this one lives. */
const leaseSeconds = 15;
/** How long a channel is sent to before others get the lane, and how many messages that is at most. */
const turnMs = 10_000;
const messagesPerTurn = 50;
/** How many channels' messages are claimed and made ready at once. */
const lanesTogether = 16;
const againMs = 500;

const defaults: LaneLimits = { lanes: 64, perOrg: 16 };

/** A channel that has a lane: picked, and sent to as soon as its messages are claimed. */
type Serving = { org_id: string; isSending: boolean; done: Promise<unknown> };

/** Sends what is due, many channels at a time, each channel's messages one by one. */
export class Dispatcher {
  readonly id: string;
  private readonly app: App;
  private readonly limits: LaneLimits;
  private readonly recorder: Recorder;
  private readonly watch: ChannelVersions;
  private readonly turns = new RoundRobin();
  private readonly serving = new Map<string, Serving>();
  /** Claimed and not tried, and not yet given back. */
  private readonly leftOver = new Set<Claimed>();
  /** By a clock that nobody sets, when the lease was last known to be ours. */
  private renewedAt = Number.NEGATIVE_INFINITY;
  private isStopping = false;

  constructor(app: App, limits: LaneLimits = defaults) {
    this.app = app;
    this.limits = limits;
    this.id = newId(app);
    this.recorder = new Recorder(app, this.id);
    this.watch = new ChannelVersions(app);
  }

  /** Says that this process lives, and takes over from those that do not. */
  async renew(): Promise<void> {
    const before = performance.now();
    await renewWorker(this.app.db, this.id, leaseSeconds);
    this.renewedAt = before;
    await this.giveBack([]);
    const lost = await requeueLost(this.app.db, lastAttempt, this.app.clock.now());
    if (lost > 0) this.app.log.warn({ lost }, "deliveries of a process that ended were taken back");
  }

  /** Chooses as many channels as there is room and work for, and keeps a lane for each. */
  async pick(): Promise<WaitingChannel[]> {
    if (this.isStopping || !this.isAlive() || this.serving.size >= this.limits.lanes) return [];
    const waiting = await listWaiting(this.app.db, this.app.clock.now());
    const picked = pickLanes(waiting, this.serving, this.turns, this.limits);
    for (const { channel_id, org_id } of picked) this.keepLane(channel_id, org_id, Promise.resolve());
    return picked;
  }

  /** Begins to send to channels that were picked; returns how many messages that is. Never rejects. */
  begin(picked: WaitingChannel[], onLaneEnd: () => void = () => undefined): Promise<number> {
    const begun = this.beginAll(picked, onLaneEnd);
    for (const { channel_id, org_id } of picked) this.keepLane(channel_id, org_id, begun);
    return begun;
  }

  private keepLane(channel_id: string, org_id: string, done: Promise<unknown>): void {
    if (!this.serving.get(channel_id)?.isSending)
      this.serving.set(channel_id, { org_id, isSending: false, done });
  }

  /** Some at a time, so that the first need not wait until all are ready. */
  private async beginAll(picked: WaitingChannel[], onLaneEnd: () => void): Promise<number> {
    let claimed = 0;
    for (let start = 0; start < picked.length; start += lanesTogether) {
      const some = picked.slice(start, start + lanesTogether);
      claimed += await this.beginSome(some, onLaneEnd).catch((error) => {
        this.app.log.warn({ err: error }, "messages could not be claimed");
        return 0;
      });
      for (const { channel_id } of some) {
        if (!this.serving.get(channel_id)?.isSending) this.serving.delete(channel_id);
      }
    }
    return claimed;
  }

  private async beginSome(picked: WaitingChannel[], onLaneEnd: () => void): Promise<number> {
    if (this.isStopping) return 0;
    const claimed = await this.claim(picked);
    const lanes = await prepareLanes(this.app, claimed).catch(async (error) => {
      await this.giveBack(claimed).catch(() => undefined);
      throw error;
    });
    for (const lane of lanes) this.start(lane, onLaneEnd);
    const taken = new Set(lanes.map(({ channel }) => channel.id));
    // Deleted since they were claimed.
    await this.giveBack(claimed.filter(({ channel_id }) => !taken.has(channel_id)));
    return claimed.length;
  }

  /** A claim that fails may have been made all the same, and only its answer lost. */
  private async claim(picked: WaitingChannel[]): Promise<Claimed[]> {
    const wanted = picked.map(({ channel_id, type }) => ({ channel_id, limit: roomFor(type) }));
    try {
      const claimed = await claimDeliveries(this.app.db, this.id, wanted, this.app.clock.now());
      await this.app.faults.hit("delivery.after_claim");
      return claimed;
    } catch (error) {
      await this.disown(picked.map(({ channel_id }) => channel_id));
      throw error;
    }
  }

  /** Nobody would send to these channels while this process lives and holds messages that it does not know of. */
  private async disown(channel_ids: string[]): Promise<void> {
    while (!this.isStopping) {
      const isDone = await returnUnknown(this.app.db, this.id, channel_ids).then(
        () => true,
        () => false,
      );
      if (isDone) return;
      await this.app.clock.sleep(againMs);
    }
  }

  /** Resolves when every lane has ended. */
  async idle(): Promise<void> {
    while (this.serving.size > 0) await Promise.all([...this.serving.values()].map(({ done }) => done));
  }

  /** Starts nothing more, waits for what is being sent, and lets others have the rest. */
  async stop(withinMs: number): Promise<void> {
    this.isStopping = true;
    // Once more, for as long as this may take.
    await this.renew();
    const late = new AbortController();
    await Promise.race([this.idle(), this.app.clock.sleep(withinMs, late.signal)]);
    late.abort();
    this.recorder.giveUp();
    await retireWorker(this.app.db, this.id);
  }

  /** What cannot be given back now is given back with the next renewal: nobody else would take it while this process lives. */
  private async giveBack(some: Claimed[]): Promise<void> {
    for (const one of some) this.leftOver.add(one);
    const all = [...this.leftOver];
    await returnUntried(this.app.db, this.id, all);
    for (const one of all) this.leftOver.delete(one);
  }

  /** A process that slept past its lease must not send what others have taken over. */
  private isAlive(): boolean {
    return performance.now() - this.renewedAt < leaseSeconds * 1000;
  }

  private start(lane: Lane, onLaneEnd: () => void): void {
    const { id, org_id } = lane.channel;
    const until = performance.now() + turnMs;
    const mayGoOn = () => !this.isStopping && this.isAlive() && performance.now() < until;
    const run = async () => {
      const untried = await runLane(this.app, lane, { recorder: this.recorder, watch: this.watch }, mayGoOn);
      await this.giveBack(untried);
    };
    const done = run()
      .catch((error) => this.app.log.error({ err: error, channel_id: id }, "sending to a channel broke off"))
      .finally(() => {
        this.serving.delete(id);
        onLaneEnd();
      });
    this.serving.set(id, { org_id, isSending: true, done });
  }
}

/** How many messages a channel can be sent in a turn; one of a type that nobody knows is left alone. */
function roomFor(type: string): number {
  const kind = channelOf(type);
  if (!kind) return 0;
  return Math.max(1, Math.min(messagesPerTurn, Math.floor(turnMs / Math.max(kind.spacingMs, 1))));
}
