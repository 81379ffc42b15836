import type { App } from "../app.ts";
import type { AnyChannelType, Message } from "../channels/channel.ts";
import { nextTurn } from "../lib/concurrency/turns.ts";
import type { ChannelRow } from "../store/channels/channels.ts";
import type { Claimed } from "../store/delivery/delivery-queue.ts";
import { type ChannelConfig, openConfig } from "./channel-config.ts";
import type { ChannelVersions } from "./channel-versions.ts";
import type { LaneQueue } from "./lane-queue.ts";
import type { Recorded, Recorder } from "./recorder.ts";
import { type QueuedMessage, send, skipReason, toResult } from "./send-attempt.ts";

/** The claimed messages of one channel, ready to send. */
export type Lane = {
  channel: ChannelRow;
  kind: AnyChannelType;
  queue: LaneQueue;
};

/** The age at which a channel's config is checked for changes. */
const freshMs = 250;

/**
 * Sends a channel's messages one after another. Ends early when the channel was changed, has to pause or is disabled, and
 * returns the messages that were not tried.
 */
export async function runLane(
  app: App,
  lane: Lane,
  { recorder, versions }: { recorder: Recorder; versions: ChannelVersions },
  mayContinue: () => boolean,
): Promise<Claimed[]> {
  const records: Promise<void>[] = [];
  const open = openLazily(app, lane.channel);
  let failures = lane.channel.failures;
  let isFirst = true;
  let checkedAt = performance.now();
  while (!lane.queue.isEmpty) {
    if (!isFirst && lane.kind.spacingMs > 0) await app.clock.sleep(lane.kind.spacingMs);
    const wasRead = await readNext(app, lane);
    if (wasRead || failures > 0 || performance.now() - checkedAt > freshMs) {
      if (!(await versions.isUnchanged(lane.channel))) break;
      checkedAt = performance.now();
    }
    const { next } = lane.queue;
    if (!next || !mayContinue()) break;
    lane.queue.remove();
    const recorded = await attempt(app, lane, next, { failures, open });
    isFirst = false;
    records.push(recorder.record(recorded));
    failures = recorded.health?.succeeded ? 0 : failures + (recorded.health?.failures ?? 0);
    if (recorded.health && mustPause(app, lane.kind, recorded.health)) break;
  }
  await Promise.all(records);
  return lane.queue.untried;
}

/** Reads the next messages if none is ready, and returns whether it did. Without the database, none is ready then. */
async function readNext(app: App, { channel, queue }: Lane): Promise<boolean> {
  if (!queue.mustRead) return false;
  await queue
    .read()
    .catch((error) => app.log.warn({ err: error, channel_id: channel.id }, "messages not read, will retry"));
  return true;
}

async function attempt(
  app: App,
  { channel, kind }: Lane,
  queued: QueuedMessage,
  { failures, open }: { failures: number; open: () => Promise<ChannelConfig> },
): Promise<Recorded> {
  // A large message takes milliseconds to write, and many channels send at the same time.
  await nextTurn();
  const { claimed, message } = queued;
  const started_at = app.clock.now();
  const startedMs = performance.now();
  const skip = skipReason(app, queued);
  const result = skip ?? (await send(app, kind, channel, message as Message, open));
  if (!skip) await app.faults.hit("delivery.after_send");
  const latency_ms = Math.round(performance.now() - startedMs);
  app.metrics.deliveryAttempts.inc({ type: kind.type, outcome: result.result });
  if (result.result === "sent")
    app.metrics.commitToDelivery.observe(
      { type: kind.type },
      Math.max(0, app.clock.now().getTime() - queued.committedMs) / 1000,
    );
  const failuresNow = result.result === "sent" ? 0 : failures + 1;
  return toResult(app, claimed, channel, kind, {
    result,
    started_at,
    latency_ms,
    wasSent: !skip,
    failures: failuresNow,
  });
}

/** Decrypts the config once per lane: that costs more than signing a message. */
function openLazily(app: App, channel: ChannelRow): () => Promise<ChannelConfig> {
  let config: Promise<ChannelConfig> | undefined;
  return () => {
    config ??= openConfig(app, channel);
    return config;
  };
}

/** Returns whether the channel has to pause for longer than between two messages. */
function mustPause(
  app: App,
  kind: AnyChannelType,
  { wait_until, is_dead }: NonNullable<Recorded["health"]>,
): boolean {
  const waitMs = wait_until ? wait_until.getTime() - app.clock.now().getTime() : 0;
  return is_dead || waitMs > kind.spacingMs;
}
