import type { App } from "../../app.ts";
import type { AnyChannel } from "../../channels/channel.ts";
import { type ChannelConfig, findMasks, mergeConfig } from "../../delivery/channel-config.ts";
import { InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { toIssues } from "../../errors/issues.ts";
import { makeAddressPolicy } from "../../lib/outbound/address-policy.ts";
import { parseOutboundUrl } from "../../lib/outbound/outbound-url.ts";

/** A config that the channel's own shape takes and whose addresses may be sent to; everything else is 422. */
export function checkedConfig(app: App, kind: AnyChannel, config: ChannelConfig): ChannelConfig {
  const masks = findMasks(config).map((path) => maskIssue(path));
  const parsed = kind.config.safeParse(config);
  const shape = parsed.success ? [] : toIssues(parsed.error, "body", config).map(underConfig);
  const issues = [...masks, ...shape, ...(parsed.success ? urlIssues(app, kind, parsed.data) : [])];
  if (issues.length > 0 || !parsed.success) throw new InvalidRequest(issues);
  return parsed.data as ChannelConfig;
}

/** The config after a change. */
export function changedConfig(
  app: App,
  kind: AnyChannel,
  old: ChannelConfig,
  change: ChannelConfig,
): ChannelConfig {
  const config = checkedConfig(app, kind, mergeConfig(kind, old, change));
  const kept = keptHeaders(kind, old, config);
  if (kept.length > 0) throw new InvalidRequest(kept);
  return config;
}

/**
 * Headers of one's own travel with each message. Whoever may change a channel may not know them, and must not come to
 * know them by sending them elsewhere.
 */
function keptHeaders(kind: AnyChannel, old: ChannelConfig, config: ChannelConfig): Issue[] {
  const isElsewhere = kind.urls.some((name) => originOf(old[name]) !== originOf(config[name]));
  if (!isElsewhere) return [];
  return kind.secrets.flatMap((name) => {
    const [before, after] = [old[name], config[name]];
    if (typeof before !== "object" || typeof after !== "object" || !before || !after) return [];
    const kept = Object.entries(after).filter(([key, value]) => (before as ChannelConfig)[key] === value);
    return kept.map(([key]) => ({
      loc: ["body", "config", name, key],
      msg: "must be given again, since the URL leads elsewhere",
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
    msg: "is a mask and not the value behind it",
    type: "value_error",
  };
}

function underConfig(issue: Issue): Issue {
  return { ...issue, loc: ["body", "config", ...issue.loc.slice(1)] };
}
