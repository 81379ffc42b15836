import { isDeepStrictEqual } from "node:util";
import type { App } from "../app.ts";
import type { AnyChannelType } from "../channels/channel.ts";
import { sealedContext } from "../store/secrets/sealed-places.ts";

export type ChannelConfig = Record<string, unknown>;

/** The placeholder of a secret. */
const maskText = "••••";

/** Returns a config for storage: with secrets masked, and the secrets themselves encrypted for this row. */
export function sealConfig(app: App, kind: AnyChannelType, channel_id: string, config: ChannelConfig) {
  const isSecret = (name: string) => kind.secrets.includes(name);
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  const secrets = Object.fromEntries(entries.filter(([name]) => isSecret(name)));
  const shown = Object.fromEntries(
    entries.map(([name, value]) => [name, isSecret(name) ? mask(value) : value]),
  );
  return {
    config: JSON.stringify(shown),
    sealed_secrets: app.vault.seal(JSON.stringify(secrets), sealedContext.channel(channel_id)),
  };
}

/** Decrypts the secrets of a stored config and returns it complete. */
export async function openConfig(
  app: App,
  channel: { id: string; config: ChannelConfig; sealed_secrets: Buffer | null },
): Promise<ChannelConfig> {
  if (!channel.sealed_secrets) return channel.config;
  const context = sealedContext.channel(channel.id);
  const secrets = (await app.vault.open(channel.sealed_secrets, context)).toString("utf8");
  return { ...channel.config, ...(JSON.parse(secrets) as ChannelConfig) };
}

/** Applies a change to a config: omitted fields stay, null removes a field, a mask keeps the secret behind it. */
export function mergeConfig(kind: AnyChannelType, old: ChannelConfig, change: ChannelConfig): ChannelConfig {
  const merged = { ...old };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete merged[name];
    else merged[name] = kind.secrets.includes(name) ? unmask(value, old[name]) : value;
  }
  return merged;
}

/** Returns the paths of masks that replace no secret, for example copied from another channel. */
export function findMasks(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value === "string") return value.includes(maskText) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => findMasks(part, [...path, name]));
}

/** Masks a secret. A URL keeps its host, so that users can recognise it. */
function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mask(part)]));
  }
  const url = typeof value === "string" && /^https?:/.test(value) ? URL.parse(value) : null;
  return url ? `${url.origin}/${maskText}` : maskText;
}

function unmask(value: unknown, old: unknown): unknown {
  if (isDeepStrictEqual(value, mask(old)) || value === maskText) return old ?? value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const before = (old ?? {}) as ChannelConfig;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unmask(part, before[name])]));
}
