import { type App, newId } from "../../app.ts";
import type { AnyChannel } from "../../channels/channel.ts";
import { channelOf } from "../../channels/index.ts";
import { type ChannelConfig, openConfig, sealConfig } from "../../delivery/channel-config.ts";
import { AppError } from "../../errors/app-error.ts";
import {
  type ChannelRow,
  countChannels,
  deleteChannel,
  findChannel,
  insertChannel,
  listChannels as listRows,
  lockChannel,
  updateChannel,
} from "../../store/channels/channels.ts";
import { cancelQueued } from "../../store/delivery/delivery-results.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { Channel, ChannelCreate, ChannelUpdate } from "../../wire/channels/channels.ts";
import type { OrgCaller } from "../caller.ts";
import { type TxEffects, write } from "../transaction.ts";
import { changedConfig, checkedConfig } from "./channel-input.ts";

export async function listChannels(app: App, caller: OrgCaller): Promise<Channel[]> {
  return (await listRows(app.db, caller.org_id)).map(toChannel);
}

/** Makes a channel. A secret that the service makes for it is in this answer and in no other. */
export async function createChannel(app: App, caller: OrgCaller, input: ChannelCreate): Promise<Channel> {
  const kind = kindOf(input.type);
  const given = checkedConfig(app, kind, input.config);
  const config = complete(app, kind, given);
  return write(app, caller, async (tx, effects) => {
    const { room, refusal } = await remainingChannelQuota(tx, caller.org_id);
    if (room === 0) throw refusal;
    return withMade(toChannel(await addChannel(app, tx, caller, input, config, effects)), given, config);
  });
}

/** Adds a channel inside a transaction that holds the org's lock and has room, with a config that was checked. */
export async function addChannel(
  app: App,
  tx: Db,
  caller: OrgCaller,
  input: Omit<ChannelCreate, "config">,
  config: ChannelConfig,
  { audit }: TxEffects,
): Promise<ChannelRow> {
  const kind = kindOf(input.type);
  const now = app.clock.now();
  const id = newId(app);
  const row = await insertChannel(tx, {
    ...sealConfig(app, kind, id, complete(app, kind, config)),
    id,
    org_id: caller.org_id,
    type: input.type,
    name: input.name,
    min_severity: input.min_severity ?? "info",
    is_enabled: input.is_enabled ?? true,
    last_success_at: null,
    last_error: null,
    created_at: now,
    updated_at: now,
  });
  const details = { type: input.type, name: input.name };
  audit({ org_id: caller.org_id, action: "channel.created", subject: { type: "channel", id }, details });
  return row;
}

/** Changes a channel. One that is sent to in another way begins without a past. */
export async function changeChannel(
  app: App,
  caller: OrgCaller,
  channel_id: string,
  input: ChannelUpdate,
): Promise<Channel> {
  return write(app, caller, async (tx, { audit, hint }) => {
    const before = await lockChannel(tx, caller.org_id, channel_id);
    if (!before) throw noSuchChannel();
    const { config: change, ...plain } = input;
    const kind = kindOf(before.type);
    const given = change && changedConfig(app, kind, openConfig(app, before), change);
    const config = given && complete(app, kind, given);
    const row = await updateChannel(tx, caller.org_id, channel_id, {
      ...definedOf(plain),
      ...(config && sealConfig(app, kind, channel_id, config)),
      isRenewed: config !== undefined || input.is_enabled !== undefined,
      updated_at: app.clock.now(),
    });
    if (input.is_enabled === false)
      await cancelQueued(tx, [channel_id], "skipped", "The channel was switched off.");
    const details = { fields: Object.keys(input) };
    audit({ org_id: caller.org_id, action: "channel.updated", subject: subjectOf(channel_id), details });
    hint({ topic: "delivery.queued" });
    return given && config ? withMade(toChannel(row), given, config) : toChannel(row);
  });
}

/** Removes a channel. Rules that named it go on without it; what waited for it is skipped, which its record says. */
export async function removeChannel(app: App, caller: OrgCaller, channel_id: string): Promise<{ ok: true }> {
  return write(app, caller, async (tx, { audit }) => {
    const row = await deleteChannel(tx, caller.org_id, channel_id);
    if (!row) throw noSuchChannel();
    await cancelQueued(tx, [channel_id], "skipped", "The channel was deleted.");
    const details = { type: row.type, name: row.name };
    audit({ org_id: caller.org_id, action: "channel.deleted", subject: subjectOf(channel_id), details });
    return { ok: true };
  });
}

export async function loadChannel(db: Db, caller: OrgCaller, channel_id: string): Promise<ChannelRow> {
  const row = await findChannel(db, caller.org_id, channel_id);
  if (!row) throw noSuchChannel();
  return row;
}

/** What the wire let in and what is stored is of a known type, unless a type was taken out of the service. */
export function kindOf(type: string): AnyChannel {
  const kind = channelOf(type);
  if (!kind) throw new AppError("conflict", `Channels of the type ${type} are no longer known. Delete it.`);
  return kind;
}

export function subjectOf(id: string) {
  return { type: "channel", id };
}

function noSuchChannel(): AppError {
  return new AppError("not_found", "There is no such channel.");
}

/** How many more channels the org may have, counted under its lock. */
export async function remainingChannelQuota(
  tx: Db,
  org_id: string,
): Promise<{ room: number; refusal: AppError }> {
  const { tier } = await lockOrg(tx, org_id);
  const { channels } = tierLimits[tier];
  const room = Math.max(0, channels - (await countChannels(tx, org_id)));
  const message = `The ${tierName(tier)} tier has room for ${channels} channels.`;
  return { room, refusal: new AppError("quota_exceeded", message) };
}

function complete(app: App, kind: AnyChannel, config: ChannelConfig): ChannelConfig {
  return kind.complete?.(config, (length) => app.random.bytes(length)) ?? config;
}

/** Shows what was made for the caller, who could not know it otherwise. */
function withMade(channel: Channel, given: ChannelConfig, config: ChannelConfig): Channel {
  const made = Object.entries(config).filter(([name]) => given[name] === undefined);
  return { ...channel, config: { ...channel.config, ...Object.fromEntries(made) } };
}

type Plain = Omit<ChannelUpdate, "config">;

function definedOf(plain: Plain) {
  const entries = Object.entries(plain).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Plain]: Exclude<Plain[Key], undefined> };
}

function toChannel(row: ChannelRow): Channel {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    config: row.config,
    min_severity: row.min_severity,
    is_enabled: row.is_enabled,
    status: row.status,
    last_success_at: row.last_success_at?.toISOString() ?? null,
    last_error: row.last_error,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
