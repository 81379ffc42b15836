import type { LoadingCache } from "../../lib/caching/loading-cache.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Offload } from "../../lib/concurrency/worker-pool.ts";
import { type Outbound, OutboundError } from "../../lib/outbound/outbound.ts";

/** The configured external services for sources and signatures of contracts, and the means to call them. */
export type ExternalServices = {
  outbound: Outbound;
  clock: Clock;
  cache: LoadingCache;
  sourcifyUrl: string;
  etherscanUrl: string;
  etherscanKey: string | undefined;
  signaturesUrl: string | undefined;
  /** Runs costly analysis in a worker thread. */
  offload: Offload;
};

/** The outcome of a request to a service. `detail` never contains the text of the service, which may repeat the API key. */
export type SourceReport = {
  source: string;
  status: "found" | "not_found" | "unavailable" | "rate_limited" | "invalid" | "skipped";
  detail: string | null;
};

/** Thrown if a service has no usable result. */
export class SourceError extends Error {
  override name = "SourceError";
  readonly status: Exclude<SourceReport["status"], "found">;

  constructor(status: SourceError["status"], detail: string) {
    super(detail);
    this.status = status;
  }
}

const maxBytes = 4 * 1024 * 1024;

/** Fetches JSON from a service. Rejects with a SourceError if the request fails. */
export async function fetchServiceJson(
  { outbound }: ExternalServices,
  url: URL,
  timeoutMs: number,
): Promise<{ status: number; body: unknown }> {
  const reply = await outbound
    .send({ method: "GET", url, headers: { accept: "application/json" }, timeoutMs, maxBytes })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      // The message names the host, which is the operator's choice.
      throw new SourceError("unavailable", "The service could not be reached.");
    });
  if (reply.status === 429) throw new SourceError("rate_limited", "The service limits the request rate.");
  if (reply.status >= 500)
    throw new SourceError("unavailable", `The service replied with status ${reply.status}.`);
  if (reply.truncated) throw new SourceError("invalid", "The reply of the service is too large.");
  return { status: reply.status, body: parseJson(reply.body.toString("utf8")) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceError("invalid", "The reply of the service is not JSON.");
  }
}
