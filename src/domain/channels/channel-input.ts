import type { App } from "../../app.ts";
import type { AnyChannelType } from "../../channels/channel.ts";
import { type ChannelConfig, findMasks, mergeConfig } from "../../delivery/channel-config.ts";
import { InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { toIssues } from "../../errors/issues.ts";
import { makeAddressPolicy } from "../../lib/outbound/address-policy.ts";
import { parseOutboundUrl } from "../../lib/outbound/outbound-url.ts";

/** Validates a config against the schema of its channel type and its URLs against the outbound policy. */
export function validateConfig(app: App, kind: AnyChannelType, config: ChannelConfig): ChannelConfig {
  const issues = configIssues(app, kind, config);
  if (issues.length > 0) throw new InvalidRequest(issues);
  return kind.config.parse(config) as ChannelConfig;
}

export function configIssues(app: App, kind: AnyChannelType, config: ChannelConfig): Issue[] {
  const masks = findMasks(config).map((path) => maskIssue(path));
  const parsed = kind.config.safeParse(config);
  const shape = parsed.success
    ? urlIssues(app, kind, parsed.data)
    : toIssues(parsed.error, "body", config).map(underConfig);
  return [...masks, ...shape];
}

/** Returns the validated config after a change. */
export function validateConfigChange(
  app: App,
  kind: AnyChannelType,
  old: ChannelConfig,
  change: ChannelConfig,
): ChannelConfig {
  const merged = mergeConfig(kind, old, change);
  const isMoved = kind.urls.some((name) => destinationOf(old[name]) !== destinationOf(merged[name]));
  if (!isMoved) return validateConfig(app, kind, merged);
  const config = validateConfig(app, kind, withoutKeptSecrets(kind, merged, change));
  const exposed = exposedSecrets(kind, old, config);
  if (exposed.length > 0) throw new InvalidRequest(exposed);
  return config;
}

/**
 * Drops secrets that are sent with a message, such as headers, unless the change contains them. A caller who may change a
 * channel does not know its stored secrets, and must not learn them by redirecting the channel.
 */
function withoutKeptSecrets(
  kind: AnyChannelType,
  merged: ChannelConfig,
  change: ChannelConfig,
): ChannelConfig {
  const isKept = (name: string) =>
    kind.secrets.includes(name) && change[name] === undefined && typeof merged[name] === "object";
  return Object.fromEntries(Object.entries(merged).filter(([name]) => !isKept(name)));
}

/** Finds stored secrets that the change names by a mask or a reference, and would send to another destination. */
function exposedSecrets(kind: AnyChannelType, old: ChannelConfig, config: ChannelConfig): Issue[] {
  return kind.secrets.flatMap((name) => {
    const [before, after] = [old[name], config[name]];
    if (typeof before !== "object" || typeof after !== "object" || !before || !after) return [];
    const kept = Object.entries(after).filter(([key, value]) => (before as ChannelConfig)[key] === value);
    return kept.map(([key]) => ({
      loc: ["body", "config", name, key],
      msg: "must be given again, because the URL changes",
      type: "value_error",
    }));
  });
}

/** Scheme, host, port and path: different paths of one host may belong to different people. */
function destinationOf(url: unknown): string | null {
  const parsed = URL.parse(String(url));
  return parsed && parsed.origin + parsed.pathname;
}

function urlIssues(app: App, kind: AnyChannelType, config: ChannelConfig): Issue[] {
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
