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

const config = z.strictObject({
  api_key: z
    .string()
    .regex(/^[A-Za-z0-9-]{8,100}$/, "must be an API key of letters, digits and -")
    .meta({
      description: "The key of an API integration: in Opsgenie, Teams, Integrations, API.",
      examples: ["00000000-0000-0000-0000-000000000000"],
    }),
  region: z.enum(["us", "eu"]).meta({ description: "The region of the account.", examples: ["eu"] }),
});
type Config = z.infer<typeof config>;

/** An Opsgenie team. Each alert becomes a separate one there, with the event's id as its alias. */
export const opsgenie = channel<Config>({
  type: "opsgenie",
  title: "Opsgenie",
  config,
  secrets: ["api_key"],
  urls: [],
  kinds: ["fired", "renotified", "escalated", "acknowledged", "resolved", "retracted", "test"],
  groups: false,
  spacingMs: 200,
  preview: (message) => jsonPreview(opsgenieRequest(message, message.alerts[0]).body),
  send: (message, { api_key, region }, deps) =>
    sendEach(message, (alert) => {
      const { path, body } = opsgenieRequest(message, alert);
      return post(deps, {
        url: `${deps.urls.opsgenie[region]}${path}`,
        headers: { ...jsonHeaders, authorization: `GenieKey ${api_key}` },
        body: JSON.stringify(body),
        secrets: [api_key],
        classifyReply: (reply) => classifyReply(reply, path),
      });
    }),
});

const priorities: Record<Severity, string> = { critical: "P1", warning: "P3", info: "P5" };

export function opsgenieRequest(message: Message, alert: Alert): { path: string; body: object } {
  const alertPath = `/v2/alerts/${encodeURIComponent(alert.event_id)}`;
  const note = unlinked(sentence(message, alert));
  const source = "Tocsin";
  if (message.kind === "acknowledged") {
    return { path: `${alertPath}/acknowledge?identifierType=alias`, body: { source, note } };
  }
  if (message.kind === "resolved" || message.kind === "retracted") {
    return { path: `${alertPath}/close?identifierType=alias`, body: { source, note } };
  }
  return { path: "/v2/alerts", body: { source, ...newAlert(message, alert) } };
}

function newAlert(message: Message, alert: Alert) {
  const facts = factsOf(alert);
  const links = facts.flatMap(({ name, url }) => (url === null ? [] : [`${name}: ${url}`]));
  const event = webLink(alert.url);
  return {
    message: cut(unlinked(headline({ ...message, severity: alert.severity, alerts: [alert] })), 130),
    alias: alert.event_id,
    description: [unlinked(sentence(message, alert)), ...(event === null ? [] : [event]), ...links].join(
      "\n",
    ),
    priority: message.kind === "test" ? "P5" : priorities[alert.severity],
    entity: unlinked(oneLine(alert.contract?.label ?? alert.chain.name, 200)),
    tags: ["tocsin", alert.severity, oneLine(alert.chain.chain, 50)],
    details: Object.fromEntries(facts.map(({ name, value }) => [name, unlinked(value)])),
  };
}

function classifyReply(reply: ProviderReply, path: string): Verdict {
  const { status, json } = reply;
  if ([401, 402, 403].includes(status)) {
    return { result: "failed", reason: `Opsgenie rejects this API key (${status}).`, isDead: true };
  }
  if (status === 404 && path.includes("identifierType")) {
    return { result: "skipped", reason: "Opsgenie no longer has this alert." };
  }
  return defaultVerdict(reply, "Opsgenie", textOf(json.message));
}
