import { isDeepStrictEqual } from "node:util";
import type { App } from "../app.ts";
import type { AnyChannel } from "../channels/channel.ts";

export type ChannelConfig = Record<string, unknown>;

/** What stands where a secret is. */
const dots = "••••";

/** A config as the table holds it: what may be shown, secrets as masks, and the secrets themselves sealed for this row. */
export function sealConfig(app: App, kind: AnyChannel, channel_id: string, config: ChannelConfig) {
  const isSecret = (name: string) => kind.secrets.includes(name);
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  const secrets = Object.fromEntries(entries.filter(([name]) => isSecret(name)));
  const shown = Object.fromEntries(
    entries.map(([name, value]) => [name, isSecret(name) ? mask(value) : value]),
  );
  return {
    config: JSON.stringify(shown),
    sealed_secrets: app.vault.seal(JSON.stringify(secrets), contextOf(channel_id)),
  };
}

/** The whole config again, secrets and all. */
export function openConfig(
  app: App,
  channel: { id: string; config: ChannelConfig; sealed_secrets: Buffer | null },
): ChannelConfig {
  if (!channel.sealed_secrets) return channel.config;
  const secrets = app.vault.open(channel.sealed_secrets, contextOf(channel.id)).toString("utf8");
  return { ...channel.config, ...(JSON.parse(secrets) as ChannelConfig) };
}

/** What a changed config comes to: fields left out stay, null takes one away, a mask stands for the secret behind it. */
export function mergeConfig(kind: AnyChannel, old: ChannelConfig, change: ChannelConfig): ChannelConfig {
  const merged = { ...old };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete merged[name];
    else merged[name] = kind.secrets.includes(name) ? unmask(value, old[name]) : value;
  }
  return merged;
}

/** The places where a mask stands for nothing: somebody sent back what they were shown of another secret. */
export function findMasks(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value === "string") return value.includes(dots) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => findMasks(part, [...path, name]));
}

/** Of an address the host may be seen, which tells people which one it is; of anything else nothing. */
function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mask(part)]));
  }
  const url = typeof value === "string" && /^https?:/.test(value) ? URL.parse(value) : null;
  return url ? `${url.origin}/${dots}` : dots;
}

function unmask(value: unknown, old: unknown): unknown {
  if (isDeepStrictEqual(value, mask(old)) || value === dots) return old ?? value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const before = (old ?? {}) as ChannelConfig;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unmask(part, before[name])]));
}

function contextOf(channel_id: string): string {
  return `channel:${channel_id}`;
}
