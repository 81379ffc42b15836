import { type App, newId } from "../app.ts";
import {
  listWaiting,
  renewWorker,
  requeueLost,
  retireWorker,
  type WaitingChannel,
} from "../store/delivery/delivery-queue.ts";
import { ChannelVersions } from "./channel-versions.ts";
import { Claims, turnMs } from "./claims.ts";
import { type LaneLimits, pickLanes, RoundRobin } from "./pick-lanes.ts";
import { prepareLanes } from "./prepare-lanes.ts";
import { Recorder } from "./recorder.ts";
import { lastAttempt } from "./retry-schedule.ts";
import { type Lane, runLane } from "./send-lane.ts";

/** Short, so that the deliveries of a dead process are retried soon; renewed while this one lives. */
const leaseSeconds = 15;
/** The number of channels whose messages are claimed and prepared together. */
const lanesPerBatch = 16;

const defaultLimits: LaneLimits = { lanes: 64, perOrg: 16 };

/** A channel that occupies a lane: reserved when picked, sending once its messages are claimed. */
type ActiveLane = { org_id: string; isSending: boolean; done: Promise<unknown> };

/** Sends due messages to many channels at a time, one message after another per channel. */
export class Dispatcher {
  readonly id: string;
  private readonly app: App;
  private readonly limits: LaneLimits;
  private readonly recorder: Recorder;
  private readonly versions: ChannelVersions;
  private readonly claims: Claims;
  private readonly turns = new RoundRobin();
  private readonly lanes = new Map<string, ActiveLane>();
  /** The last time at which the lease was certainly ours, by the monotonic clock. */
  private renewedAt = Number.NEGATIVE_INFINITY;
  private isStopping = false;

  constructor(app: App, limits: LaneLimits = defaultLimits) {
    this.app = app;
    this.limits = limits;
    this.id = newId(app);
    this.recorder = new Recorder(app, this.id);
    this.versions = new ChannelVersions(app);
    this.claims = new Claims(app, this.id);
  }

  /** Renews the lease, and requeues the deliveries of workers whose lease has expired. */
  async renew(): Promise<void> {
    const before = performance.now();
    await renewWorker(this.app.db, this.id, leaseSeconds);
    this.renewedAt = before;
    await this.claims.giveBack([]);
    const lost = await requeueLost(this.app.db, lastAttempt, this.app.clock.now());
    if (lost > 0) this.app.log.warn({ lost }, "deliveries of an expired worker requeued");
  }

  /** Picks channels with due messages for the free lanes, and reserves a lane for each. */
  async pick(): Promise<WaitingChannel[]> {
    if (this.isStopping || !this.holdsLease() || this.lanes.size >= this.limits.lanes) return [];
    const waiting = await listWaiting(this.app.db, this.app.clock.now());
    const picked = pickLanes(waiting, this.lanes, this.turns, this.limits);
    for (const { channel_id, org_id } of picked) this.reserve(channel_id, org_id, Promise.resolve());
    return picked;
  }

  /** Starts to send to picked channels and returns the number of claimed messages. Never rejects. */
  begin(picked: WaitingChannel[], onLaneEnd: () => void = () => undefined): Promise<number> {
    const begun = this.beginAll(picked, onLaneEnd);
    for (const { channel_id, org_id } of picked) this.reserve(channel_id, org_id, begun);
    return begun;
  }

  /** Resolves when every lane has ended. */
  async idle(): Promise<void> {
    while (this.lanes.size > 0) await Promise.all([...this.lanes.values()].map(({ done }) => done));
  }

  /** Starts no more lanes, waits up to the timeout for the running ones, and releases the lease. */
  async stop(timeoutMs: number): Promise<void> {
    this.isStopping = true;
    this.claims.stop();
    // One last time, for the time that stopping may take.
    await this.renew();
    const timeout = new AbortController();
    await Promise.race([this.idle(), this.app.clock.sleep(timeoutMs, timeout.signal)]);
    timeout.abort();
    this.recorder.stopRetrying();
    await retireWorker(this.app.db, this.id);
  }

  private reserve(channel_id: string, org_id: string, done: Promise<unknown>): void {
    if (!this.lanes.get(channel_id)?.isSending)
      this.lanes.set(channel_id, { org_id, isSending: false, done });
  }

  /** In batches, so that the first lanes need not wait until all are prepared. */
  private async beginAll(picked: WaitingChannel[], onLaneEnd: () => void): Promise<number> {
    let claimed = 0;
    for (let start = 0; start < picked.length; start += lanesPerBatch) {
      const batch = picked.slice(start, start + lanesPerBatch);
      claimed += await this.beginBatch(batch, onLaneEnd).catch((error) => {
        this.app.log.warn({ err: error }, "deliveries could not be claimed");
        return 0;
      });
      for (const { channel_id } of batch) {
        if (!this.lanes.get(channel_id)?.isSending) this.lanes.delete(channel_id);
      }
    }
    return claimed;
  }

  private async beginBatch(picked: WaitingChannel[], onLaneEnd: () => void): Promise<number> {
    if (this.isStopping) return 0;
    const claimed = await this.claims.claim(picked);
    const lanes = await prepareLanes(this.app, claimed).catch(async (error) => {
      await this.claims.giveBack(claimed).catch(() => undefined);
      throw error;
    });
    for (const lane of lanes) this.start(lane, onLaneEnd);
    const started = new Set(lanes.map(({ channel }) => channel.id));
    // The other channels were deleted after their messages were claimed.
    await this.claims.giveBack(claimed.filter(({ channel_id }) => !started.has(channel_id)));
    return claimed.length;
  }

  /** A process that was suspended past its lease must not send: others have taken over its deliveries. */
  private holdsLease(): boolean {
    return performance.now() - this.renewedAt < leaseSeconds * 1000;
  }

  private start(lane: Lane, onLaneEnd: () => void): void {
    const { id, org_id } = lane.channel;
    const until = performance.now() + turnMs;
    const mayContinue = () => !this.isStopping && this.holdsLease() && performance.now() < until;
    const { recorder, versions } = this;
    const run = async () => {
      const untried = await runLane(this.app, lane, { recorder, versions }, mayContinue);
      await this.claims.giveBack(untried);
    };
    const done = run()
      .catch((error) => this.app.log.error({ err: error, channel_id: id }, "sending to channel failed"))
      .finally(() => {
        this.lanes.delete(id);
        onLaneEnd();
      });
    this.lanes.set(id, { org_id, isSending: true, done });
  }
}
