import { z } from "zod";
import { type Alert, channel, type Message, type Verdict } from "../channel.ts";
import { jsonPreview } from "../message/preview.ts";
import { jsonHeaders, post } from "../sending/post.ts";
import { defaultVerdict, type ProviderReply } from "../sending/provider-reply.ts";
import { extraHeaders } from "../sending/webhook-headers.ts";
import { makeSecret, secretKey, signature } from "../sending/webhook-signature.ts";
import { postUrl } from "../sending/webhook-url.ts";

const config = z.strictObject({
  url: postUrl.meta({
    description: "The URL that alerts are posted to.",
    examples: ["https://example.com/hooks/tocsin"],
  }),
  secret: z
    .string()
    .refine((text) => secretKey(text) !== null, "must be whsec_ followed by 24 to 64 bytes in base64")
    .optional()
    .meta({
      description: "The key that messages are signed with. Generated when absent, and shown once.",
      examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
    }),
  headers: extraHeaders.optional(),
});
type Config = z.infer<typeof config>;

/** Any program that accepts JSON signed by Standard Webhooks. */
export const webhook = channel<Config>({
  type: "webhook",
  title: "Webhook",
  config,
  secrets: ["secret", "headers"],
  urls: ["url"],
  complete: (config, randomBytes) => ({ ...config, secret: config.secret ?? makeSecret(randomBytes) }),
  kinds: ["fired", "renotified", "escalated", "acknowledged", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 0,
  preview: (message) => jsonPreview(webhookBody(message)),
  async send(message, { url, secret, headers = {} }, deps) {
    const key = secret === undefined ? null : secretKey(secret);
    if (secret === undefined || key === null) {
      const reason = "The channel has no signing secret; save it again to get one.";
      return { status: null, excerpt: null, result: "failed", reason, isDead: true };
    }
    const body = JSON.stringify(webhookBody(message));
    const signed = signature({ id: message.id, at: deps.clock.now(), body, key });
    return post(deps, {
      url,
      headers: { ...headers, ...jsonHeaders, ...signed },
      body,
      secrets: [secret, secret.slice("whsec_".length), ...Object.values(headers).flatMap(secretsInHeader)],
      classifyReply,
    });
  },
});

/** A header such as "Bearer abc" has its secret in the second word. */
function secretsInHeader(value: string): string[] {
  return [value, ...value.split(/[\s,;=]+/)];
}

/** Keeps the body small for receivers. */
const maxAlerts = 50;

/** Returns the documented body. Texts are not escaped; the receiver does that for display. */
export function webhookBody({ kind, at: sentAt, org, severity, alerts }: Message) {
  const shown = alerts.slice(0, maxAlerts);
  return {
    type: `alert.${kind}`,
    timestamp: sentAt.toISOString(),
    data: {
      org,
      severity,
      alerts: shown.map(alertOf),
      alerts_left_out: alerts.length - shown.length,
    },
  };
}

function alertOf({ fired_at, resolved_at, ...alert }: Alert) {
  return {
    ...alert,
    fired_at: fired_at.toISOString(),
    resolved_at: resolved_at?.toISOString() ?? null,
  };
}

// A receiver that rejects a message, for example during a bad release, may accept it an hour later.
function classifyReply(reply: ProviderReply): Verdict {
  const { status, afterSeconds } = reply;
  if (status === 410) {
    return {
      result: "failed",
      reason: "The webhook replied with 410: it is permanently gone.",
      isDead: true,
    };
  }
  if (status >= 400) return { result: "retry", reason: `The webhook replied with ${status}.`, afterSeconds };
  return defaultVerdict(reply, "The webhook");
}
