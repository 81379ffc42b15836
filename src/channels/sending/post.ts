import { OutboundError } from "../../lib/outbound/outbound.ts";
import { providerTimeoutMs } from "../../lib/process/stop-deadlines.ts";
import type { ProviderDeps, SendResult, Verdict } from "../channel.ts";
import { cut, oneLine } from "../message/plain-text.ts";
import { bareReply, type ProviderReply, parseReply } from "./provider-reply.ts";
import { scrub } from "./scrub.ts";

/** A request to a provider and the classification of its replies. */
export type Posting = {
  url: string | URL;
  headers: Record<string, string>;
  body: string;
  /** Values to remove from the recorded reply. */
  secrets: readonly string[];
  classifyReply(reply: ProviderReply): Verdict;
};

/** Posts a request to a provider and returns the result. */
export async function post(deps: ProviderDeps, posting: Posting): Promise<SendResult> {
  const { url, headers, body } = posting;
  const timeoutMs = deps.timeoutMs ?? providerTimeoutMs;
  try {
    const received = await deps.outbound.send({ method: "POST", url, headers, body, timeoutMs, maxBytes });
    return toResult(parseReply(received, deps.clock.now()), posting);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // The status is enough to classify the reply, even if the body never arrived.
    if (error.status !== undefined) return toResult(bareReply(error.status), posting);
    return { status: null, excerpt: null, ...noReply(error) };
  }
}

const maxBytes = 16 * 1024;
const excerptLength = 500;

/** The headers of a JSON request. */
export const jsonHeaders = { "content-type": "application/json" };

function toResult(reply: ProviderReply, { secrets, classifyReply }: Posting): SendResult {
  const verdict = classifyReply(reply);
  const line = scrub(oneLine(reply.text, maxBytes), secrets);
  const record = { status: reply.status, excerpt: line === "" ? null : cut(line, excerptLength) };
  return "reason" in verdict
    ? { ...record, ...verdict, reason: scrub(verdict.reason, secrets) }
    : { ...record, ...verdict };
}

function noReply({ kind, message, sent }: OutboundError): Verdict {
  const isOurs = kind === "refused_address" || (kind === "protocol" && !sent);
  if (isOurs) return { result: "failed", reason: message, isDead: false };
  return { result: "retry", reason: message, isAmbiguous: sent };
}
