import { isDeepStrictEqual } from "node:util";
import type { AnyChannelType } from "../../../channels/channel.ts";
import { type ChannelConfig, mergeConfig, openConfig } from "../../../delivery/channel-config.ts";
import type { ChannelRow } from "../../../store/channels/channels.ts";
import type { ConfigChannel } from "../../../wire/imports/configuration.ts";
import { validateConfig } from "../../channels/channel-input.ts";
import { removeChannel } from "../../channels/channel-removal.ts";
import { addChannel, changeChannel, kindOf, remainingChannelQuota } from "../../channels/channels.ts";
import { addError, attempt, type Loc, pick, recordChange, type Work } from "./change-log.ts";
import { changedOf } from "./changed-fields.ts";
import { resolveRefs } from "./secret-refs.ts";
import { toConfigChannel } from "./to-document.ts";

/** Creates, updates and, with `prune`, deletes channels. Returns the channel ids by reference. */
export async function applyChannels(work: Work): Promise<Map<string, string>> {
  const { input, state, tx, caller } = work;
  const ids = new Map([...state.channels].map(([ref, { id }]) => [ref, id]));
  if (!input.channels) return ids;
  if (input.prune) await prune(work, ids);
  const { remaining, quotaError } = await remainingChannelQuota(tx, caller.org_id);
  let remainingQuota = remaining;
  const seenRefs = new Set<string>();
  for (const [index, wanted] of input.channels.entries()) {
    const [ref, loc] = [wanted.ref ?? wanted.name, ["body", "channels", index]];
    const existing = state.channels.get(ref);
    if (seenRefs.has(ref)) addError(work, loc, "is a duplicate");
    else if (existing) await change(work, ref, existing, wanted, loc);
    else if (remainingQuota-- <= 0) addError(work, loc, quotaError.message, quotaError.code);
    else await create(work, ids, wanted, loc);
    seenRefs.add(ref);
  }
  return ids;
}

async function prune(work: Work, ids: Map<string, string>): Promise<void> {
  const { app, caller, input, state } = work;
  const wanted = new Set(input.channels?.map(({ ref, name }) => ref ?? name));
  for (const [ref, { id }] of [...state.channels]) {
    if (wanted.has(ref)) continue;
    // Rules that keep no channel are an error at the end, when the document has given them others.
    await removeChannel(app, caller, id, { isChecked: true }, work);
    recordChange(work, { action: "delete", kind: "channel", ref });
    ids.delete(ref);
    // The comparison of rules must not see the deleted channel.
    state.channels.delete(ref);
    work.channelRefs.delete(id);
  }
}

async function create(work: Work, ids: Map<string, string>, wanted: ConfigChannel, loc: Loc): Promise<void> {
  const { app, input } = work;
  if (wanted.ref !== undefined && wanted.ref !== wanted.name)
    return addError(
      work,
      [...loc, "ref"],
      "does not refer to an existing channel; the ref of a new channel must equal its name",
    );
  if (isTaken(work, wanted, ids)) return addError(work, [...loc, "name"], nameTaken);
  const kind = kindOf(wanted.type);
  const before = work.errors.length;
  const resolved = resolveRefs(wanted.config ?? {}, {}, input.secrets ?? {}, [...loc, "config"], work.errors);
  // A missing secret is already reported; the schema would report it again.
  if (work.errors.length > before) return;
  const row = await attempt(work, loc, () =>
    addChannel(work, wanted, validateConfig(app, kind, resolved as ChannelConfig)),
  );
  if (!row) return;
  ids.set(wanted.name, row.id);
  recordChange(work, {
    action: "create",
    kind: "channel",
    ref: wanted.name,
    fields: Object.keys(wanted).sort(),
  });
}

const plainFields = ["name", "min_severity", "is_enabled"] as const;

async function change(
  work: Work,
  ref: string,
  row: ChannelRow,
  wanted: ConfigChannel,
  loc: Loc,
): Promise<void> {
  const { app, caller } = work;
  if (wanted.type !== row.type)
    return addError(work, [...loc, "type"], `is ${row.type}; the type of a channel cannot be changed`);
  const shown = toConfigChannel(ref, row, () => "NONE");
  const changed = changedOf(wanted, shown, plainFields);
  if (changed.includes("name") && isTaken(work, wanted)) return addError(work, [...loc, "name"], nameTaken);
  const before = work.errors.length;
  const config = await configChange(work, row, wanted, loc);
  if (work.errors.length > before) return;
  const fields = [...changed, ...config.fields.map((name) => `config.${name}`)];
  if (fields.length === 0) {
    work.unchanged++;
    return;
  }
  const update = { ...pick(wanted, changed), ...(config.fields.length > 0 && { config: config.change }) };
  await attempt(work, loc, () => changeChannel(app, caller, row.id, update, work));
  const values = {
    before: { ...pick(shown, changed), ...config.before },
    after: { ...pick(wanted, changed), ...config.after },
  };
  recordChange(work, { action: "update", kind: "channel", ref, fields, values });
}

const nameTaken = "is already the name of another channel";

function isTaken({ state }: Work, { name }: ConfigChannel, ids?: Map<string, string>): boolean {
  return [...state.channels.values()].some((row) => row.name === name) || ids?.has(name) === true;
}

/** Returns the changes to a config. Omitted secrets are kept; other omitted fields are removed. */
async function configChange(
  { app, input, errors }: Work,
  row: ChannelRow,
  { config }: ConfigChannel,
  loc: Loc,
) {
  if (!config) return { change: {}, fields: [], before: {}, after: {} };
  const kind: AnyChannelType = kindOf(row.type);
  const old = await openConfig(app, row);
  const resolved = resolveRefs(config, old, input.secrets ?? {}, [...loc, "config"], errors) as ChannelConfig;
  const removed = Object.keys(old).filter((name) => !(name in resolved) && !kind.secrets.includes(name));
  const change: ChannelConfig = { ...resolved, ...Object.fromEntries(removed.map((name) => [name, null])) };
  const next = mergeConfig(kind, old, change);
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort();
  const fields = names.filter((name) => !isDeepStrictEqual(normalise(kind, next)[name], old[name]));
  const shown = fields.filter((name) => !kind.secrets.includes(name));
  const named = (source: ChannelConfig) =>
    Object.fromEntries(shown.map((name) => [`config.${name}`, source[name]]));
  return { change, fields, before: named(old), after: named(next) };
}

/** Returns the config as it would be stored, if it is valid. */
function normalise(kind: AnyChannelType, config: ChannelConfig): ChannelConfig {
  const parsed = kind.config.safeParse(config);
  return parsed.success ? (parsed.data as ChannelConfig) : config;
}
