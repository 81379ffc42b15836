import { isDeepStrictEqual } from "node:util";
import { type App, newId } from "../../app.ts";
import type { AnyChannelType } from "../../channels/channel.ts";
import { channelOf } from "../../channels/index.ts";
import { type ChannelConfig, openConfig, sealConfig } from "../../delivery/channel-config.ts";
import { AppError, type Issue } from "../../errors/app-error.ts";
import { compareSeverity } from "../../lib/severity.ts";
import {
  type ChannelRow,
  countChannels,
  findChannel,
  insertChannel,
  listChannels as listRows,
  lockChannel,
  servesOthers,
  updateChannel,
} from "../../store/channels/channels.ts";
import { cancelQueued } from "../../store/delivery/delivery-results.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { isUnrestricted } from "../../store/viewer.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { Channel, ChannelCreate, ChannelsQuery, ChannelUpdate } from "../../wire/channels/channels.ts";
import type { Page } from "../../wire/paging.ts";
import type { OrgCaller } from "../caller.ts";
import { byCreation, cutPage } from "../page.ts";
import { inTransaction, type OpenTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";
import type { WriteContext } from "../write-context.ts";
import { configIssues, validateConfig, validateConfigChange } from "./channel-input.ts";
import { requireAllowedRecipients } from "./recipients.ts";

/** An org has few channels, so that a page is cut from all of them. */
export async function listChannels(
  app: App,
  caller: OrgCaller,
  { cursor, limit, ...filter }: ChannelsQuery,
): Promise<Page<Channel>> {
  const all = await listRows(app.db, caller.org_id, filter);
  const page = cutPage(all, { cursor, limit }, byCreation, "ascending");
  return { ...page, items: page.items.map(toChannel) };
}

export async function getChannel(app: App, caller: OrgCaller, channel_id: string): Promise<Channel> {
  return toChannel(await loadChannel(app.db, caller, channel_id));
}

/** Finds errors in the config of a new channel of which other fields may be invalid. */
export function findChannelIssues(app: App, { type, config }: Partial<ChannelCreate>): Issue[] {
  return type && config ? configIssues(app, kindOf(type), config) : [];
}

/** Creates a channel. A generated secret is shown only in this reply. */
export async function createChannel(app: App, caller: OrgCaller, input: ChannelCreate): Promise<Channel> {
  const kind = kindOf(input.type);
  const validConfig = validateConfig(app, kind, input.config);
  const config = complete(app, kind, validConfig);
  return inTransaction(app, caller, async (tx, effects) => {
    const { remaining, quotaError } = await remainingChannelQuota(tx, caller.org_id);
    if (remaining === 0) throw quotaError;
    return withGeneratedSecrets(
      toChannel(await addChannel({ app, tx, caller, effects }, input, config)),
      validConfig,
      config,
    );
  });
}

/** Inserts a channel with a validated config. The transaction must hold the lock of the org, with quota left. */
export async function addChannel(
  context: WriteContext,
  input: Omit<ChannelCreate, "config">,
  config: ChannelConfig,
): Promise<ChannelRow> {
  const { app, tx, caller } = context;
  const kind = kindOf(input.type);
  await requireAllowedRecipients(context, input.type, config);
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
    ...authorOf(app, caller),
    created_at: now,
    updated_at: now,
  });
  const details = { type: input.type, name: input.name };
  const { audit } = context.effects;
  audit({ org_id: caller.org_id, action: "channel.created", subject: { type: "channel", id }, details });
  return row;
}

/** Updates a channel. A new config, or enabling it, resets its health. */
export async function changeChannel(
  app: App,
  caller: OrgCaller,
  channel_id: string,
  input: ChannelUpdate,
  joined?: OpenTransaction,
): Promise<Channel> {
  return inTransaction(
    app,
    caller,
    async (tx, effects) => {
      const { audit, hint } = effects;
      const before = await lockChannel(tx, caller.org_id, channel_id);
      if (!before) throw noSuchChannel();
      const { config: change, ...plain } = input;
      if (deliversLess(before, input)) await requireOwnUse(tx, caller, channel_id);
      const kind = kindOf(before.type);
      const old = change && (await openConfig(app, before));
      const validChange = change && old && validateConfigChange(app, kind, old, change);
      const config = validChange && complete(app, kind, validChange);
      const isRedirected = config !== undefined && !isDeepStrictEqual(config, old);
      if (config && isRedirected)
        await requireAllowedRecipients({ app, tx, caller, effects }, before.type, config);
      const row = await updateChannel(tx, caller.org_id, channel_id, {
        ...definedOf(plain),
        ...(config && sealConfig(app, kind, channel_id, config)),
        ...((isRedirected || isAdminLike(caller)) && authorOf(app, caller)),
        isRenewed: config !== undefined || input.is_enabled !== undefined,
        updated_at: app.clock.now(),
      });
      if (input.is_enabled === false)
        await cancelQueued(tx, [channel_id], "skipped", "The channel was switched off.");
      const details = { fields: Object.keys(input) };
      audit({ org_id: caller.org_id, action: "channel.updated", subject: subjectOf(channel_id), details });
      hint({ topic: "delivery.queued" });
      return validChange && config
        ? withGeneratedSecrets(toChannel(row), validChange, config)
        : toChannel(row);
    },
    joined,
  );
}

/** True if a change stops messages: the channel is switched off, or its minimum severity is raised. */
function deliversLess(before: ChannelRow, { is_enabled, min_severity }: ChannelUpdate): boolean {
  const isSwitchedOff = is_enabled === false && before.is_enabled;
  return (
    isSwitchedOff || (min_severity !== undefined && compareSeverity(min_severity, before.min_severity) > 0)
  );
}

/** A member who may not change a rule must not end its notifications either, by taking away its channel. */
export async function requireOwnUse(tx: Db, caller: OrgCaller, channel_id: string): Promise<void> {
  if (await servesOthers(tx, viewerOf(caller), channel_id))
    throw new AppError(
      "role_required",
      "Rules of contracts that you may not change notify this channel. Ask an admin of the organisation.",
    );
}

/**
 * The author of the channel's configuration, whose access decides which restricted contracts it serves. What an admin
 * saves counts as checked by the admin; another person becomes the author only by changing the configuration.
 */
function authorOf(app: App, caller: OrgCaller) {
  return {
    changed_by: caller.user_id,
    is_changed_by_admin: isAdminLike(caller),
    changed_at: app.clock.now(),
  };
}

/** True for callers who see every contract: admins, unrestricted keys and the operator. */
function isAdminLike(caller: OrgCaller): boolean {
  return isUnrestricted(viewerOf(caller));
}

export async function loadChannel(db: Db, caller: OrgCaller, channel_id: string): Promise<ChannelRow> {
  const row = await findChannel(db, caller.org_id, channel_id);
  if (!row) throw noSuchChannel();
  return row;
}

/** Returns the channel type; it is unknown only if a type was removed from the service. */
export function kindOf(type: string): AnyChannelType {
  const kind = channelOf(type);
  if (!kind)
    throw new AppError("conflict", `The channel type ${type} is no longer supported. Delete the channel.`);
  return kind;
}

export function subjectOf(id: string) {
  return { type: "channel", id };
}

export function noSuchChannel(): AppError {
  return new AppError("not_found", "There is no such channel.");
}

/** Returns how many more channels the org may have. Locks the org. */
export async function remainingChannelQuota(
  tx: Db,
  org_id: string,
): Promise<{ remaining: number; quotaError: AppError }> {
  const { tier } = await lockOrg(tx, org_id);
  const { channels } = tierLimits[tier];
  const remaining = Math.max(0, channels - (await countChannels(tx, org_id)));
  const message = `The ${tierName(tier)} tier allows ${channels} channels.`;
  return { remaining, quotaError: new AppError("quota_exceeded", message) };
}

export function complete(app: App, kind: AnyChannelType, config: ChannelConfig): ChannelConfig {
  return kind.complete?.(config, (length) => app.random.bytes(length)) ?? config;
}

/** Adds generated secrets to the reply, in plain text. */
function withGeneratedSecrets(channel: Channel, given: ChannelConfig, config: ChannelConfig): Channel {
  const generated = Object.entries(config).filter(([name]) => given[name] === undefined);
  return { ...channel, config: { ...channel.config, ...Object.fromEntries(generated) } };
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
