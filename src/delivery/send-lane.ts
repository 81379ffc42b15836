import type { App } from "../app.ts";
import type { AnyChannel, Message } from "../channels/channel.ts";
import type { ChannelRow } from "../store/channels/channels.ts";
import type { Claimed } from "../store/delivery/delivery-queue.ts";
import { type ChannelConfig, openConfig } from "./channel-config.ts";
import type { ChannelVersions } from "./channel-versions.ts";
import type { Recorded, Recorder } from "./recorder.ts";
import { send, skipReason, toResult } from "./send-attempt.ts";

/** Messages that were claimed for one channel, with all that is needed to send them. */
export type Lane = {
  channel: ChannelRow;
  kind: AnyChannel;
  queue: { claimed: Claimed; message: Message | undefined; isPointless: boolean }[];
};

/** How long what is known of a channel may be used before it is looked at again. */
const freshMs = 250;

/**
 * Sends a channel's messages one after another, to where it leads now: not to a place that somebody has taken out.
 * Ends early when the channel asks for patience or does not answer, and returns those that were not tried.
 */
export async function runLane(
  app: App,
  lane: Lane,
  { recorder, watch }: { recorder: Recorder; watch: ChannelVersions },
  mayGoOn: () => boolean,
): Promise<Claimed[]> {
  const records: Promise<void>[] = [];
  const open = openOnce(app, lane.channel);
  let failures = lane.channel.failures;
  let tried = 0;
  let readAt = performance.now();
  for (const item of lane.queue) {
    if (tried > 0 && lane.kind.spacingMs > 0) await app.clock.sleep(lane.kind.spacingMs);
    if (failures > 0 || performance.now() - readAt > freshMs) {
      if (!(await watch.isUnchanged(lane.channel))) break;
      readAt = performance.now();
    }
    if (!mayGoOn()) break;
    const recorded = await attempt(app, lane, item, { failures, open });
    tried += 1;
    records.push(recorder.record(recorded));
    failures = recorded.health?.succeeded ? 0 : failures + (recorded.health?.failures ?? 0);
    if (recorded.health && mustRest(app, lane.kind, recorded.health)) break;
  }
  await Promise.all(records);
  return lane.queue.slice(tried).map(({ claimed }) => claimed);
}

async function attempt(
  app: App,
  { channel, kind }: Lane,
  { claimed, message, isPointless }: Lane["queue"][0],
  { failures, open }: { failures: number; open: () => ChannelConfig },
): Promise<Recorded> {
  const started_at = app.clock.now();
  const began = performance.now();
  const skip = skipReason(app, claimed, message, isPointless);
  const result = skip ?? (await send(app, kind, channel, message as Message, open));
  if (!skip) await app.faults.hit("delivery.after_send");
  const latency_ms = Math.round(performance.now() - began);
  app.metrics.deliveryAttempts.inc({ type: kind.type, outcome: result.result });
  if (result.result === "sent")
    app.metrics.deliverySeconds.observe((app.clock.now().getTime() - claimed.created_at.getTime()) / 1000);
  const failing = result.result === "sent" ? 0 : failures + 1;
  return toResult(app, claimed, channel, kind, {
    result,
    started_at,
    latency_ms,
    wasSent: !skip,
    failures: failing,
  });
}

/** Opening a config costs more than signing a message with it. */
function openOnce(app: App, channel: ChannelRow): () => ChannelConfig {
  let config: ChannelConfig | undefined;
  return () => {
    config ??= openConfig(app, channel);
    return config;
  };
}

/** Whether the channel is to be left alone for longer than the usual pause between two messages. */
function mustRest(
  app: App,
  kind: AnyChannel,
  { wait_until, is_dead }: NonNullable<Recorded["health"]>,
): boolean {
  const waitMs = wait_until ? wait_until.getTime() - app.clock.now().getTime() : 0;
  return is_dead || waitMs > kind.spacingMs;
}
