import { z } from "zod";
import { type Alert, channel, type Message, type Verdict } from "../channel.ts";
import { jsonHeaders, post } from "../sending/post.ts";
import { defaultVerdict, type ProviderReply } from "../sending/provider-reply.ts";
import { extraHeaders } from "../sending/webhook-headers.ts";
import { makeSecret, secretKey, signature } from "../sending/webhook-signature.ts";
import { postUrl } from "../sending/webhook-url.ts";

const config = z.strictObject({
  url: postUrl.meta({
    description: "Where alerts are posted to.",
    examples: ["https://example.com/hooks/tocsin"],
  }),
  secret: z
    .string()
    .refine((text) => secretKey(text) !== null, "must be whsec_ and 24 to 64 bytes in base64")
    .optional()
    .meta({
      description: "What messages are signed with. Made when absent, and shown once.",
      examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
    }),
  headers: extraHeaders.optional(),
});
type Config = z.infer<typeof config>;

/** Any program that takes signed JSON, by the rules of Standard Webhooks. */
export const webhook = channel<Config>({
  type: "webhook",
  title: "Webhook",
  config,
  secrets: ["secret", "headers"],
  urls: ["url"],
  complete: (config, randomBytes) => ({ ...config, secret: config.secret ?? makeSecret(randomBytes) }),
  kinds: ["fired", "renotified", "acknowledged", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 0,
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

/** "Bearer abc" keeps a secret in its second word. */
function secretsInHeader(value: string): string[] {
  return [value, ...value.split(/[\s,;=]+/)];
}

/** So many that the body stays small for whoever receives it. */
const maxAlerts = 50;

/** The body, as it is documented: texts as they are, to be escaped by whoever shows them. */
export function webhookBody({ kind, at, org, severity, alerts }: Message) {
  const shown = alerts.slice(0, maxAlerts);
  return {
    type: `alert.${kind}`,
    timestamp: at.toISOString(),
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

// The receiver is somebody's own program: what it refuses during a mistaken release, it may take an hour later.
function classifyReply(answer: ProviderReply): Verdict {
  const { status, afterSeconds } = answer;
  if (status === 410) {
    return { result: "failed", reason: "The webhook answered 410: it is gone for good.", isDead: true };
  }
  if (status >= 400) return { result: "retry", reason: `The webhook answered ${status}.`, afterSeconds };
  return defaultVerdict(answer, "The webhook");
}
