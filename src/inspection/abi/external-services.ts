import type { Clock } from "../../lib/clock.ts";
import type { LoadingCache } from "../../lib/loading-cache.ts";
import { type Outbound, OutboundError } from "../../lib/outbound/outbound.ts";

/** The outside services that know contracts by their source, as the operator set them. */
export type ExternalServices = {
  outbound: Outbound;
  clock: Clock;
  cache: LoadingCache;
  sourcifyUrl: string;
  etherscanUrl: string;
  etherscanKey: string | undefined;
  signaturesUrl: string | undefined;
};

/** How a service did when it was asked. `detail` is always a sentence of our own: theirs may repeat our key. */
export type SourceReport = {
  source: string;
  status: "found" | "not_found" | "unavailable" | "rate_limited" | "invalid" | "skipped";
  detail: string | null;
};

/** Why a service gave nothing. */
export class SourceError extends Error {
  override name = "SourceFailure";
  readonly status: Exclude<SourceReport["status"], "found">;

  constructor(status: SourceError["status"], detail: string) {
    super(detail);
    this.status = status;
  }
}

const maxBytes = 4 * 1024 * 1024;

/** Asks a service for JSON. Whatever keeps it from answering is a SourceFailure. */
export async function fetchServiceJson(
  { outbound }: ExternalServices,
  url: URL,
  timeoutMs: number,
): Promise<{ status: number; body: unknown }> {
  const reply = await outbound
    .send({ method: "GET", url, headers: { accept: "application/json" }, timeoutMs, maxBytes })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      throw new SourceError("unavailable", error.message);
    });
  if (reply.status === 429) throw new SourceError("rate_limited", "It asks to slow down.");
  if (reply.status >= 500) throw new SourceError("unavailable", `It answered with status ${reply.status}.`);
  if (reply.truncated) throw new SourceError("invalid", "Its answer is longer than is read.");
  return { status: reply.status, body: parseJson(reply.body.toString("utf8")) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceError("invalid", "Its answer is not JSON.");
  }
}
