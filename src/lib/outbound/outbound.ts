import http from "node:http";
import https from "node:https";
import type { AddressPolicy } from "./address-policy.ts";
import { startDeadline } from "./deadline.ts";
import { type Agents, exchange, type Progress } from "./http-exchange.ts";
import type { OutboundReply, OutboundRequest } from "./outbound-message.ts";
import { parseOutboundUrl } from "./outbound-url.ts";
import { type ResolveHost, resolveHost } from "./resolve-host.ts";
import { AddressForbidden, LookupFailed, makeVettedLookup } from "./vetted-lookup.ts";

export type { OutboundReply, OutboundRequest };

/** The outbound HTTP client. It follows no redirects and connects to no address that the policy forbids. */
export type Outbound = {
  /** Resolves with any HTTP reply; rejects with an OutboundError. */
  send(request: OutboundRequest): Promise<OutboundReply>;
};

export type OutboundFailure =
  | "refused_address"
  | "dns"
  | "connect"
  | "tls"
  | "timeout"
  | "reset"
  | "protocol";

/** A request without a complete reply. The message contains at most the host, so it can be shown and logged. */
export class OutboundError extends Error {
  override name = "OutboundError";
  readonly kind: OutboundFailure;
  /** True when the receiver may have got the request, so that a retry may duplicate it. */
  readonly sent: boolean;
  /** The status of a reply that broke off. */
  readonly status: number | undefined;

  constructor(
    kind: OutboundFailure,
    message: string,
    options: { sent: boolean; status?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.sent = options.sent;
    this.status = options.status;
  }
}

/** Makes the client. Tests inject `resolve`. */
export function makeOutbound(options: {
  policy: AddressPolicy;
  resolve?: ResolveHost;
}): Outbound & { close(): void } {
  const { policy, resolve = resolveHost } = options;
  // Own agents ignore proxy settings in the environment.
  const agents: Agents = {
    "http:": new http.Agent({ ...pool, lookup: makeVettedLookup("http:", { policy, resolve }) }),
    "https:": new https.Agent({ ...pool, lookup: makeVettedLookup("https:", { policy, resolve }) }),
  };
  return {
    send: (request) => send(request, policy, agents),
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

// Idle connections close after 4 s: many servers close theirs after 5 s, and a request at that moment is lost. Many
// orgs share a host such as a chat provider, so the limit per host is high.
const pool = { keepAlive: true, maxSockets: 64, maxTotalSockets: 256, maxFreeSockets: 32, timeout: 4000 };

async function send(request: OutboundRequest, policy: AddressPolicy, agents: Agents): Promise<OutboundReply> {
  const url = parseOutboundUrl(String(request.url), policy);
  if (typeof url === "string") throw new OutboundError("refused_address", url, { sent: false });

  const started = performance.now();
  const progress: Progress = { stage: "prepare" };
  const deadline = startDeadline(request);
  try {
    const reply = await exchange(url, request, { agents, policy, signal: deadline.signal, progress });
    return { ...reply, latencyMs: Math.round(performance.now() - started) };
  } catch (error) {
    throw explain(error, url.hostname, progress, deadline.signal);
  } finally {
    deadline.clear();
  }
}

function explain(cause: unknown, host: string, progress: Progress, signal: AbortSignal): OutboundError {
  const { kind, text } = toOutboundError(cause, progress, signal);
  const sent = progress.stage === "sent";
  return new OutboundError(kind, `${host} ${text}`, { sent, status: progress.status, cause });
}

function toOutboundError(
  cause: unknown,
  { stage }: Progress,
  signal: AbortSignal,
): { kind: OutboundFailure; text: string } {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const why = code && ` (${code})`;
  if (cause instanceof AddressForbidden) {
    return { kind: "refused_address", text: "leads to an address that may not be connected to." };
  }
  if (cause instanceof LookupFailed) return { kind: "dns", text: "was not found." };
  if (signal.aborted) return { kind: "timeout", text: "did not answer in time." };
  if (stage === "prepare") return { kind: "protocol", text: `cannot be sent this request${why}.` };
  if (stage === "connect") return { kind: "connect", text: `could not be reached${why}.` };
  if (stage === "tls") return { kind: "tls", text: `could not be reached securely${why}.` };
  if (code.startsWith("HPE_")) return { kind: "protocol", text: `did not answer in proper HTTP${why}.` };
  return { kind: "reset", text: "closed the connection before its answer was complete." };
}
