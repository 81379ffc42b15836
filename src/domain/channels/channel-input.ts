import type { App } from "../../app.ts";
import type { AnyChannel } from "../../channels/channel.ts";
import { type ChannelConfig, findMasks, mergeConfig } from "../../delivery/channel-config.ts";
import { InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { toIssues } from "../../errors/issues.ts";
import { makeAddressPolicy } from "../../lib/outbound/address-policy.ts";
import { parseOutboundUrl } from "../../lib/outbound/outbound-url.ts";

/** Validates a config against the schema of its channel type and its URLs against the outbound policy. */
export function validateConfig(app: App, kind: AnyChannel, config: ChannelConfig): ChannelConfig {
  const masks = findMasks(config).map((path) => maskIssue(path));
  const parsed = kind.config.safeParse(config);
  const shape = parsed.success ? [] : toIssues(parsed.error, "body", config).map(underConfig);
  const issues = [...masks, ...shape, ...(parsed.success ? urlIssues(app, kind, parsed.data) : [])];
  if (issues.length > 0 || !parsed.success) throw new InvalidRequest(issues);
  return parsed.data as ChannelConfig;
}

/** Returns the validated config after a change. */
export function validateConfigChange(
  app: App,
  kind: AnyChannel,
  old: ChannelConfig,
  change: ChannelConfig,
): ChannelConfig {
  const config = validateConfig(app, kind, mergeConfig(kind, old, change));
  const exposed = exposedSecrets(kind, old, config);
  if (exposed.length > 0) throw new InvalidRequest(exposed);
  return config;
}

/**
 * Finds secrets that a change would send to another origin. A caller who may change a channel does not know its stored
 * secrets, and must not learn them by redirecting the channel.
 */
function exposedSecrets(kind: AnyChannel, old: ChannelConfig, config: ChannelConfig): Issue[] {
  const isOriginChanged = kind.urls.some((name) => originOf(old[name]) !== originOf(config[name]));
  if (!isOriginChanged) return [];
  return kind.secrets.flatMap((name) => {
    const [before, after] = [old[name], config[name]];
    if (typeof before !== "object" || typeof after !== "object" || !before || !after) return [];
    const kept = Object.entries(after).filter(([key, value]) => (before as ChannelConfig)[key] === value);
    return kept.map(([key]) => ({
      loc: ["body", "config", name, key],
      msg: "must be given again, because the origin of the URL changes",
      type: "value_error",
    }));
  });
}

function originOf(url: unknown): string | null {
  return URL.parse(String(url))?.origin ?? null;
}

function urlIssues(app: App, kind: AnyChannel, config: ChannelConfig): Issue[] {
  const policy = makeAddressPolicy({ allow: app.config.outboundAllow });
  return kind.urls.flatMap((name) => {
    if (config[name] === undefined) return [];
    const url = parseOutboundUrl(String(config[name]), policy);
    return typeof url === "string" ? [{ loc: ["body", "config", name], msg: url, type: "url_parsing" }] : [];
  });
}

function maskIssue(path: (string | number)[]): Issue {
  return {
    loc: ["body", "config", ...path],
    msg: "is a mask, not a value",
    type: "value_error",
  };
}

function underConfig(issue: Issue): Issue {
  return { ...issue, loc: ["body", "config", ...issue.loc.slice(1)] };
}
