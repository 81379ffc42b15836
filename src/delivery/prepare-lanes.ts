import type { App } from "../app.ts";
import { channelOf } from "../channels/index.ts";
import { listChannelsByIds } from "../store/channels/channels.ts";
import type { Claimed } from "../store/delivery/delivery-queue.ts";
import { LaneQueue } from "./lane-queue.ts";
import type { Lane } from "./send-lane.ts";

/** Reads the current channels of claimed deliveries and their first messages. Makes one lane per channel that still exists. */
export async function prepareLanes(app: App, claimed: Claimed[]): Promise<Lane[]> {
  if (claimed.length === 0) return [];
  const claimedBy = Map.groupBy(claimed, ({ channel_id }) => channel_id);
  const channels = (await listChannelsByIds(app.db, [...claimedBy.keys()])).flatMap((channel) => {
    const kind = channelOf(channel.type);
    return kind ? [{ channel, kind }] : [];
  });
  const queues = await LaneQueue.openAll(
    app,
    channels.map(({ channel }) => claimedBy.get(channel.id) ?? []),
  );
  return channels.map((lane, index) => ({ ...lane, queue: queues[index] as LaneQueue }));
}
