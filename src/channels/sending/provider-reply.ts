import type { OutboundReply } from "../../lib/outbound/outbound.ts";
import type { Verdict } from "../channel.ts";
import { oneLine } from "../message/plain-text.ts";

/** What a provider answered, read as far as it can be. */
export type ProviderReply = {
  status: number;
  text: string;
  /** Its JSON object; empty when it is none. */
  json: Record<string, unknown>;
  /** What `Retry-After` asks for. */
  afterSeconds: number | undefined;
};

export function parseReply({ status, headers, body }: OutboundReply, now: Date): ProviderReply {
  const text = body.toString("utf8");
  return { status, text, json: objectIn(text), afterSeconds: secondsUntil(headers["retry-after"], now) };
}

/** An answer of which only the status arrived. */
export function bareReply(status: number): ProviderReply {
  return { status, text: "", json: {}, afterSeconds: undefined };
}

/** What an answer means where the provider has no words of its own for it. */
export function defaultVerdict(
  { status, afterSeconds }: ProviderReply,
  provider: string,
  details = "",
): Verdict {
  const reason = `${provider} answered ${status}${details && `: ${oneLine(details, 200)}`}.`;
  if (status >= 200 && status < 300) return { result: "sent" };
  if (status >= 300 && status < 400) {
    // A receiver that is being moved or hidden behind a log-in for a while is not gone.
    return {
      result: "retry",
      reason: `${provider} answered ${status}: it points elsewhere, and redirects are not followed.`,
    };
  }
  if (status >= 500 || passing.has(status)) return { result: "retry", reason, afterSeconds };
  return { result: "failed", reason, isDead: false };
}

// Request Timeout, Too Early, Too Many Requests.
const passing = new Set([408, 425, 429]);

/** A wait that a provider asked for, in whole seconds; undefined when it makes no sense. */
export function wait(seconds: unknown): number | undefined {
  if (typeof seconds !== "number" || !(seconds >= 0)) return undefined;
  return Math.min(Math.ceil(seconds), maxWaitSeconds);
}

const maxWaitSeconds = 86_400;

/** Reads `Retry-After`: seconds or a date. */
function secondsUntil(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return wait(Number(text));
  const date = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return wait(Math.max(0, (date - now.getTime()) / 1000));
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The value as an object; empty when it is none. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The value when it is text; nothing otherwise. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
