import type { App } from "../../app.ts";
import { channelOf } from "../../channels/index.ts";
import type { ChannelConfig } from "../../delivery/channel-config.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { convertChannel } from "../../imports/defender/convert-channel.ts";
import type { ChannelRef } from "../../imports/defender/monitor.ts";
import { type ChannelRow, listChannels } from "../../store/channels/channels.ts";
import type { DefenderImport } from "../../wire/imports/defender-import.ts";
import { validateConfig } from "../channels/channel-input.ts";
import { addChannel, remainingChannelQuota } from "../channels/channels.ts";
import type { WriteContext } from "../write-context.ts";
import { plainLine } from "./plain-line.ts";

export type ResolvedChannel = { channel_id: string } | { problem: string };

/**
 * Returns a function that maps a channel of an export to one of the org: the one in `channel_map`, one with the same name
 * and type, a new one from the exported config, or the default of the request.
 */
export async function makeChannelResolver(
  context: WriteContext,
  { channel_map = {}, default_channel_id }: DefenderImport,
) {
  const creator = await makeChannelCreator(context);
  const find = async (ref: ChannelRef): Promise<ResolvedChannel> => {
    const mapped = [ref.ref, ref.name].flatMap((name) =>
      name && Object.hasOwn(channel_map, name) ? [channel_map[name]] : [],
    );
    if (mapped[0]) return { channel_id: mapped[0] };
    const channel = await creator.findOrCreate(ref);
    return "problem" in channel && default_channel_id ? { channel_id: default_channel_id } : channel;
  };
  return { resolve: cacheByIdentity(find), created: creator.created };
}

/** Finds channels by name and type, and creates missing ones within the quota. */
async function makeChannelCreator(context: WriteContext) {
  const { app, tx, caller } = context;
  const existing = await listChannels(tx, caller.org_id);
  let { remaining } = await remainingChannelQuota(tx, caller.org_id);
  let created = 0;
  return {
    async findOrCreate(ref: ChannelRef): Promise<ResolvedChannel> {
      const converted = convertChannel(ref);
      if ("problem" in converted) return converted;
      const { type, config } = converted;
      const name = plainLine(ref.name ?? `${type} from Defender`, 100);
      const same = existing.find((channelRow) => channelRow.type === type && channelRow.name === name);
      if (same) return { channel_id: same.id };
      if (remaining === 0) return { problem: "the channel quota of the tier is exhausted" };
      const checked = check(app, type, config);
      if ("problem" in checked) return checked;
      const row = await addOrExplain(context, { type, name, is_enabled: !ref.isPaused }, checked.config);
      if ("problem" in row) return row;
      existing.push(row);
      remaining--;
      created++;
      return { channel_id: row.id };
    },
    created: () => created,
  };
}

/** Returns why the channel may not be created, for example because its recipients are not allowed. */
async function addOrExplain(
  ...args: Parameters<typeof addChannel>
): Promise<ChannelRow | { problem: string }> {
  try {
    return await addChannel(...args);
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message };
    if (error instanceof InvalidRequest) return { problem: error.issues[0]?.msg ?? "its config is invalid" };
    throw error;
  }
}

type Resolve = (ref: ChannelRef) => Promise<ResolvedChannel>;

/** Resolves equal references once. A channel is resolved once per rule, and serialising its config each time would be slow. */
function cacheByIdentity(find: Resolve): Resolve {
  const byRef = new Map<ChannelRef, ResolvedChannel>();
  const byKey = new Map<string, ResolvedChannel>();
  const serialised = new Map<unknown, string>();
  const serialise = (config: unknown) => {
    const text = serialised.get(config) ?? JSON.stringify(config);
    serialised.set(config, text);
    return text;
  };
  return async (ref) => {
    const same = byRef.get(ref);
    if (same) return same;
    const key = JSON.stringify([ref.ref, ref.type, serialise(ref.config)]);
    const channel = byKey.get(key) ?? (await find(ref));
    byKey.set(key, channel);
    byRef.set(ref, channel);
    return channel;
  };
}

function check(
  app: App,
  type: string,
  config: Record<string, unknown>,
): { config: ChannelConfig } | { problem: string } {
  const kind = channelOf(type);
  if (!kind) return { problem: `the channel type ${type} is not supported` };
  try {
    return { config: validateConfig(app, kind, config) };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    // The message omits the given value, which may be a secret.
    return { problem: error.issues.map(({ loc, msg }) => `${loc.slice(2).join(".")} ${msg}`).join("; ") };
  }
}
