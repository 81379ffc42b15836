import type { ProviderDeps, SendResult, Verdict } from "../channel.ts";
import { oneLine } from "../message/plain-text.ts";
import { post } from "./post.ts";
import { defaultVerdict, type ProviderReply, textOf } from "./provider-reply.ts";

/** Sends a text message through the operator's Twilio account, unless the number opted out. */
export async function sendText(to: string, text: string, deps: ProviderDeps): Promise<SendResult> {
  const { twilio } = deps;
  const unsent = { status: null, excerpt: null } as const;
  if (await deps.hasOptedOut(to)) return { ...unsent, ...optedOut };
  if (!twilio) {
    const reason = "Text messages are not set up: the operator has not configured a Twilio account.";
    return { ...unsent, result: "failed", reason, isDead: false };
  }
  return neutralise(await post(deps, { ...request({ to, text }, twilio, deps.urls.twilio), classifyReply }));
}

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

const optedOut = { result: "skipped", reason: "This number opted out of messages." } as const;

type Text = { to: string; text: string };

function request({ to, text }: Text, twilio: NonNullable<ProviderDeps["twilio"]>, base: string) {
  const { accountSid, authToken, from } = twilio;
  // A messaging service selects the sender number.
  const sender = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from };
  const login = Buffer.from(`${accountSid}:${authToken}`).toString("base64");
  return {
    url: `${base}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    headers: { "content-type": "application/x-www-form-urlencoded", authorization: `Basic ${login}` },
    body: new URLSearchParams({ To: to, ...sender, Body: text }).toString(),
    secrets: [authToken, login],
  };
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
