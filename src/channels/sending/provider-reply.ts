import type { OutboundReply } from "../../lib/outbound/outbound.ts";
import type { Verdict } from "../channel.ts";
import { oneLine } from "../message/plain-text.ts";

/** A provider's reply, parsed as far as possible. */
export type ProviderReply = {
  status: number;
  text: string;
  /** The JSON object in the body; empty when there is none. */
  json: Record<string, unknown>;
  /** The seconds of `Retry-After`. */
  afterSeconds: number | undefined;
};

export function parseReply({ status, headers, body }: OutboundReply, now: Date): ProviderReply {
  const text = body.toString("utf8");
  return { status, text, json: objectIn(text), afterSeconds: secondsUntil(headers["retry-after"], now) };
}

/** A reply of which only the status arrived. */
export function bareReply(status: number): ProviderReply {
  return { status, text: "", json: {}, afterSeconds: undefined };
}

/** Classifies a reply by its status alone. */
export function defaultVerdict(
  { status, afterSeconds }: ProviderReply,
  provider: string,
  details = "",
): Verdict {
  const reason = `${provider} replied with ${status}${details && `: ${oneLine(details, 200)}`}.`;
  if (status >= 200 && status < 300) return { result: "sent" };
  if (status >= 300 && status < 400) {
    // A receiver may redirect temporarily, for example while it moves or behind a log-in.
    return {
      result: "retry",
      reason: `${provider} replied with ${status}: redirects are not followed.`,
    };
  }
  if (status >= 500 || retryable.has(status)) return { result: "retry", reason, afterSeconds };
  return { result: "failed", reason, isDead: false };
}

// Request Timeout, Too Early, Too Many Requests.
const retryable = new Set([408, 425, 429]);

/** Rounds and limits a provider's wait in seconds; undefined when it is not a valid number. */
export function parseWait(seconds: unknown): number | undefined {
  if (typeof seconds !== "number" || !(seconds >= 0)) return undefined;
  return Math.min(Math.ceil(seconds), maxWaitSeconds);
}

const maxWaitSeconds = 86_400;

/** Parses `Retry-After`: seconds or a date. */
function secondsUntil(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return parseWait(Number(text));
  const date = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return parseWait(Math.max(0, (date - now.getTime()) / 1000));
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Returns the value if it is an object, or else an empty one. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns the value if it is a string, or else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
