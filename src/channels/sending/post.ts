import { OutboundError } from "../../lib/outbound/outbound.ts";
import type { ChannelDeps, SendResult, Verdict } from "../channel.ts";
import { cut, oneLine } from "../message/plain-text.ts";
import { bareReply, type ProviderReply, parseReply } from "./provider-reply.ts";
import { scrub } from "./scrub.ts";

/** One request to a provider, and how to read what it answers. */
export type Posting = {
  url: string | URL;
  headers: Record<string, string>;
  body: string;
  /** What must not appear in the record of the answer. */
  secrets: readonly string[];
  classifyReply(answer: ProviderReply): Verdict;
};

/** Posts to a provider and says how it went. */
export async function post(deps: ChannelDeps, posting: Posting): Promise<SendResult> {
  const { url, headers, body } = posting;
  const timeoutMs = deps.timeoutMs ?? 10_000;
  try {
    const reply = await deps.outbound.send({ method: "POST", url, headers, body, timeoutMs, maxBytes });
    return conclude(parseReply(reply, deps.clock.now()), posting);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // Its status says what it decided, even if the rest of the answer never came.
    if (error.status !== undefined) return conclude(bareReply(error.status), posting);
    return { status: null, excerpt: null, ...unanswered(error) };
  }
}

const maxBytes = 16 * 1024;
const excerptLength = 500;

/** Headers of a request whose body is JSON. */
export const jsonHeaders = { "content-type": "application/json" };

function conclude(answer: ProviderReply, { secrets, classifyReply }: Posting): SendResult {
  const verdict = classifyReply(answer);
  const line = scrub(oneLine(answer.text, maxBytes), secrets);
  const record = { status: answer.status, excerpt: line === "" ? null : cut(line, excerptLength) };
  return "reason" in verdict
    ? { ...record, ...verdict, reason: scrub(verdict.reason, secrets) }
    : { ...record, ...verdict };
}

function unanswered({ kind, message, sent }: OutboundError): Verdict {
  const isOurs = kind === "refused_address" || (kind === "protocol" && !sent);
  if (isOurs) return { result: "failed", reason: message, isDead: false };
  return { result: "retry", reason: message, isAmbiguous: sent };
}
