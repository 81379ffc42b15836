import { z } from "zod";
import { type ChannelDeps, channel, type Message, type SendResult, type Verdict } from "../channel.ts";
import { comparison, webLink } from "../message/facts.ts";
import { headline } from "../message/headline.ts";
import { oneLine } from "../message/plain-text.ts";
import { fitSegments } from "../message/sms-length.ts";
import { post } from "../sending/post.ts";
import { defaultVerdict, type ProviderReply, textOf } from "../sending/provider-reply.ts";

const config = z.strictObject({
  to: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, "must be a phone number in E.164 format, such as +14155550100")
    .meta({ description: "The phone number, with + and the country code.", examples: ["+14155550100"] }),
});
type Config = z.infer<typeof config>;

/** A phone number, through the operator's Twilio account. */
export const sms = channel<Config>({
  type: "sms",
  title: "SMS",
  config,
  secrets: [],
  urls: [],
  kinds: ["fired", "renotified", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 1000,
  async send(message, { to }, deps) {
    const { twilio } = deps;
    const unsent = { status: null, excerpt: null } as const;
    if (!deps.smsAllow.some((prefix) => to.startsWith(prefix)))
      return { ...unsent, result: "failed", reason: prefixReason, isDead: true };
    if (await deps.hasOptedOut(to)) return { ...unsent, ...optedOut };
    if (!twilio) {
      const reason = "Text messages are not set up: the operator has not configured a Twilio account.";
      return { ...unsent, result: "failed", reason, isDead: false };
    }
    return neutralise(await post(deps, { ...request(message, to, twilio, deps.urls.twilio), classifyReply }));
  },
});

/**
 * The Twilio account belongs to the operator, and its replies and connection errors are about that account. So organisations
 * get a sentence of ours, and the raw text goes to the log.
 */
function neutralise(result: SendResult): SendResult {
  if (result.result === "sent" || result.result === "skipped") return { ...result, excerpt: null };
  const operatorDetails = [result.reason, result.excerpt].filter(Boolean).join(" ");
  const isAboutNumber = result.result === "failed" && result.isDead;
  return {
    ...result,
    excerpt: null,
    operatorDetails,
    reason: isAboutNumber ? result.reason : neutralReason(result),
  };
}

function neutralReason({ status, result }: SendResult): string {
  const what = status === null ? "could not be reached" : `did not accept the message (${status})`;
  const next = result === "retry" ? "It is tried again" : "It is not tried again";
  return `The text message service ${what}. ${next}; the operator's log has details.`;
}

const prefixReason = "The operator does not allow text messages to numbers with this prefix (SMS_ALLOW).";

const optedOut = { result: "skipped", reason: "This number opted out of messages." } as const;

function request(message: Message, to: string, twilio: NonNullable<ChannelDeps["twilio"]>, base: string) {
  const { accountSid, authToken, from } = twilio;
  // A messaging service selects the sender number.
  const sender = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from };
  const login = Buffer.from(`${accountSid}:${authToken}`).toString("base64");
  return {
    url: `${base}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    headers: { "content-type": "application/x-www-form-urlencoded", authorization: `Basic ${login}` },
    body: new URLSearchParams({ To: to, ...sender, Body: smsText(message) }).toString(),
    secrets: [authToken, login],
  };
}

/** Returns the text of up to three SMS segments: headline, measured value and link. */
export function smsText(message: Message): string {
  const { kind, alerts } = message;
  const [first, ...others] = alerts;
  const parts = [
    `Tocsin: ${headline(message)}`,
    kind === "retracted"
      ? "A chain reorganisation removed the block"
      : others.length === 0 && comparison(first),
    others.length > 0 && alerts.map(({ title }) => oneLine(title, 60)).join("; "),
    kind === "test" && "No action is needed. Reply STOP to opt out",
  ].filter((part) => typeof part === "string");
  const url = alerts.map((alert) => webLink(alert.url)).find((link) => link !== null && link.length <= 120);
  return fitSegments(withoutLinks(`${parts.join(". ")}.`), url ? ` ${url}` : "");
}

/** Phones make anything clickable that looks like an address; a space after the dot or colon prevents that. */
function withoutLinks(text: string): string {
  return text.replace(/:(?=\/\/)|\.(?=[\p{L}\p{M}])|(?<=\d\.\d+)\.(?=\d)|@(?=\S)/gu, "$& ");
}

const invalidNumberCodes = new Set([21211, 21614]);

function classifyReply(reply: ProviderReply): Verdict {
  const { status, json } = reply;
  const code = Number(json.code);
  const details = textOf(json.message);
  if (code === 21610) return optedOut;
  if (invalidNumberCodes.has(code)) {
    const reason = `Twilio cannot send text messages to this number (${code}).`;
    return { result: "failed", reason, isDead: true };
  }
  // The operator can fix the account while the message waits.
  if (status === 401 || status === 403 || code === 20429) {
    const reason = `Twilio replied with ${status}: ${oneLine(details, 200) || "it rejects the operator's credentials"}.`;
    return { result: "retry", reason, afterSeconds: reply.afterSeconds };
  }
  return defaultVerdict(reply, "Twilio", details);
}
