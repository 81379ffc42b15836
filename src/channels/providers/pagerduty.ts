import { z } from "zod";
import type { Severity } from "../../lib/severity.ts";
import { type Alert, channel, type Message, type Verdict } from "../channel.ts";
import { factsOf, webLink } from "../message/facts.ts";
import { headline, sentence } from "../message/headline.ts";
import { cut, oneLine, unlinked } from "../message/plain-text.ts";
import { jsonPreview } from "../message/preview.ts";
import { jsonHeaders, post } from "../sending/post.ts";
import { defaultVerdict, type ProviderReply, textOf } from "../sending/provider-reply.ts";
import { sendEach } from "../sending/send-each.ts";

const pagerdutySeverity = z.enum(["critical", "error", "warning", "info"]);

const config = z.strictObject({
  routing_key: z
    .string()
    .regex(/^[A-Za-z0-9]{32}$/, "must be an integration key of 32 letters and digits")
    .meta({
      description: "The integration key: in PagerDuty, the service, Integrations, Events API V2.",
      examples: ["00000000000000000000000000000000"],
    }),
  severity_map: z
    .strictObject({
      info: pagerdutySeverity.optional(),
      warning: pagerdutySeverity.optional(),
      critical: pagerdutySeverity.optional(),
    })
    .optional()
    .meta({
      description: "The PagerDuty severity for each of ours; the same name by default.",
      examples: [{ warning: "error" }],
    }),
});
type Config = z.infer<typeof config>;

/** A PagerDuty service, through Events API v2. Each alert becomes a separate one there. */
export const pagerduty = channel<Config>({
  type: "pagerduty",
  title: "PagerDuty",
  config,
  secrets: ["routing_key"],
  urls: [],
  kinds: ["fired", "renotified", "escalated", "acknowledged", "resolved", "retracted", "test"],
  groups: false,
  spacingMs: 500,
  preview(message) {
    const { routing_key: _, ...body } = pagerdutyBody(message, message.alerts[0], { routing_key: "" });
    return jsonPreview(body);
  },
  send: (message, config, deps) =>
    sendEach(message, (alert) =>
      post(deps, {
        url: `${deps.urls.pagerduty}/v2/enqueue`,
        headers: jsonHeaders,
        body: JSON.stringify(pagerdutyBody(message, alert, config)),
        secrets: [config.routing_key],
        classifyReply,
      }),
    ),
});

export function pagerdutyBody(message: Message, alert: Alert, { routing_key, severity_map }: Config) {
  const key = { routing_key, dedup_key: alert.event_id };
  if (message.kind === "acknowledged") return { ...key, event_action: "acknowledge" };
  // PagerDuty has no retraction, so a retracted alert is resolved.
  if (message.kind === "resolved" || message.kind === "retracted") return { ...key, event_action: "resolve" };

  const severity: Severity = message.kind === "test" ? "info" : alert.severity;
  const url = webLink(alert.url);
  return {
    ...key,
    event_action: "trigger",
    payload: {
      summary: cut(
        unlinked(`${headline({ ...message, severity, alerts: [alert] })}. ${sentence(message, alert)}`),
        1024,
      ),
      source: sourceOf(alert),
      severity: severity_map?.[severity] ?? severity,
      timestamp: alert.fired_at.toISOString(),
      component: oneLine(alert.contract?.address ?? alert.chain.chain, 255),
      group: unlinked(oneLine(message.org.name, 200)),
      class: oneLine(alert.target_type, 255),
      custom_details: Object.fromEntries(factsOf(alert).map(({ name, value }) => [name, unlinked(value)])),
    },
    links: linksOf(alert),
    client: "Tocsin",
    ...(url === null ? {} : { client_url: url }),
  };
}

/** The source, never empty: PagerDuty rejects an event without one. */
function sourceOf({ contract, chain }: Alert): string {
  return unlinked(oneLine(contract?.label ?? "", 200) || oneLine(contract?.address ?? chain.chain, 200));
}

function linksOf(alert: Alert) {
  const event = { name: "The event", url: webLink(alert.url) };
  return [event, ...factsOf(alert)].flatMap(({ name, url }) =>
    url === null ? [] : [{ href: url, text: name }],
  );
}

function classifyReply(reply: ProviderReply): Verdict {
  const { status, json } = reply;
  const errors = Array.isArray(json.errors) ? json.errors.map(textOf) : [];
  const details = [textOf(json.message), ...errors].filter(Boolean).join(" ");
  const isAboutKey = /routing[_ ]key/i.test(details);
  if ([401, 403, 404].includes(status) || (status === 400 && isAboutKey)) {
    return {
      result: "failed",
      reason: `PagerDuty rejects this routing key (${status}).`,
      isDead: true,
    };
  }
  return defaultVerdict(reply, "PagerDuty", details);
}
