import { z } from "zod";
import { type ChannelDeps, channel, type Message, type Verdict } from "../channel.ts";
import { comparison, webLink } from "../message/facts.ts";
import { headline } from "../message/headline.ts";
import { oneLine } from "../message/plain-text.ts";
import { fitSegments } from "../message/sms-length.ts";
import { post } from "../sending/post.ts";
import { defaultVerdict, type ProviderReply, textOf } from "../sending/provider-reply.ts";

const config = z.strictObject({
  to: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, "must be a number in E.164 form, such as +14155550100")
    .meta({ description: "The number, with + and the country's code.", examples: ["+14155550100"] }),
});
type Config = z.infer<typeof config>;

/** A phone, through Twilio with the operator's account. */
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
    if (await deps.hasOptedOut(to)) return { ...unsent, ...optedOut };
    if (!twilio) {
      const reason = "Text messages are not set up: the operator has not given a Twilio account.";
      return { ...unsent, result: "failed", reason, isDead: false };
    }
    return post(deps, { ...request(message, to, twilio, deps.urls.twilio), classifyReply });
  },
});

const optedOut = { result: "skipped", reason: "This number asked not to be sent messages." } as const;

function request(message: Message, to: string, twilio: NonNullable<ChannelDeps["twilio"]>, base: string) {
  const { accountSid, authToken, from } = twilio;
  // A messaging service chooses the number itself.
  const sender = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from };
  const login = Buffer.from(`${accountSid}:${authToken}`).toString("base64");
  return {
    url: `${base}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    headers: { "content-type": "application/x-www-form-urlencoded", authorization: `Basic ${login}` },
    body: new URLSearchParams({ To: to, ...sender, Body: smsText(message) }).toString(),
    secrets: [authToken, login],
  };
}

/** What fits into three text messages: what, how much, and where to look. */
export function smsText(message: Message): string {
  const { kind, alerts } = message;
  const [first, ...others] = alerts;
  const words = [
    `Tocsin: ${headline(message)}`,
    kind === "retracted"
      ? "The chain reorganised; this did not happen"
      : others.length === 0 && comparison(first),
    others.length > 0 && alerts.map(({ title }) => oneLine(title, 60)).join("; "),
    kind === "test" && "Nothing is wrong. Reply STOP to get no more",
  ].filter((part) => typeof part === "string");
  const url = alerts.map((alert) => webLink(alert.url)).find((link) => link !== null && link.length <= 120);
  return fitSegments(withoutLinks(`${words.join(". ")}.`), url ? ` ${url}` : "");
}

/** Phones make links of anything that looks like an address; a blank after the dot or colon ends that. */
function withoutLinks(text: string): string {
  return text.replace(/:(?=\/\/)|\.(?=[\p{L}\p{M}])|(?<=\d\.\d+)\.(?=\d)|@(?=\S)/gu, "$& ");
}

const isWrongNumber = new Set([21211, 21614]);

function classifyReply(answer: ProviderReply): Verdict {
  const { status, json } = answer;
  const code = Number(json.code);
  const details = textOf(json.message);
  if (code === 21610) return optedOut;
  if (isWrongNumber.has(code)) {
    const reason = `Twilio says that no text message can be sent to this number (${code}).`;
    return { result: "failed", reason, isDead: true };
  }
  // The account is the operator's, who can mend it while the message waits.
  if (status === 401 || status === 403 || code === 20429) {
    const reason = `Twilio answered ${status}: ${oneLine(details, 200) || "it does not take the operator's login"}.`;
    return { result: "retry", reason, afterSeconds: answer.afterSeconds };
  }
  return defaultVerdict(answer, "Twilio", details);
}
