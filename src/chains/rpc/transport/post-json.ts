import { type Outbound, OutboundError, type OutboundReply } from "../../../lib/outbound/outbound.ts";
import { classifyStatus } from "../classify-error.ts";
import { EndpointFailure, type FailureKind } from "../failure.ts";

/** The target of requests. Credentials of the URL are moved into the authorization header. */
export type EndpointAddress = { url: string; host: string; headers: Record<string, string> };

export function parseEndpointUrl(text: string): EndpointAddress {
  const url = new URL(text);
  const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
  if (url.username || url.password) {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    url.username = "";
    url.password = "";
  }
  return { url: url.href, host: url.host, headers };
}

export type Limits = { timeoutMs: number; maxBytes: number };

/** Parses JSON, and throws when it is invalid. */
export type ParseJson = (text: string) => unknown;

/** Posts a payload and parses the reply. Rejects with an EndpointFailure when the reply is not JSON. */
export async function postJson(
  outbound: Outbound,
  address: EndpointAddress,
  payload: unknown,
  {
    timeoutMs,
    maxBytes,
    signal,
    parseReply = JSON.parse,
  }: Limits & { signal: AbortSignal; parseReply?: ParseJson | undefined },
): Promise<{ reply: unknown; bytes: number }> {
  const { url, headers } = address;
  const body = JSON.stringify(payload);
  const response = await outbound
    .send({ method: "POST", url, headers, body, timeoutMs, maxBytes, compressed: true, signal })
    .catch((error: unknown) => {
      throw toEndpointFailure(error);
    });
  if (response.truncated)
    throw new EndpointFailure("too_large", "returned a reply that exceeds the size limit");
  return { reply: parse(response, parseReply), bytes: response.body.length };
}

function toEndpointFailure(error: unknown): EndpointFailure {
  if (!(error instanceof OutboundError)) return new EndpointFailure("down", "could not be reached");
  return new EndpointFailure(failureKinds[error.kind] ?? "down", failureMessages[error.kind]);
}

const failureKinds: Partial<Record<OutboundError["kind"], FailureKind>> = {
  protocol: "malformed",
  timeout: "timeout",
};

// The message of an OutboundError starts with the host, which `describeFailures` adds already.
const failureMessages: Record<OutboundError["kind"], string> = {
  refused_address: "has an address that is not allowed",
  dns: "does not resolve in DNS",
  connect: "could not be reached",
  tls: "failed the TLS handshake",
  timeout: "timed out",
  reset: "closed the connection",
  protocol: "returned invalid HTTP",
};

/** A provider explains a limit in its first words. */
const maxTextBytes = 1_000;

function parse({ status, headers, body }: OutboundReply, parseReply: ParseJson): unknown {
  const text = status === 429 ? body.toString("utf8", 0, maxTextBytes) : "";
  const failure = classifyStatus(status, retryAfterMs(headers["retry-after"]), text);
  if (failure) throw failure;
  const reply = parseJson(body, parseReply);
  const isEnvelope = typeof reply === "object" && reply !== null;
  if (isEnvelope && (status < 300 || Array.isArray(reply) || "error" in reply)) return reply;
  // Above 500, a gateway in front of the node is down; any other status may be caused by this request.
  if (status > 500) throw new EndpointFailure("down", `returned status ${status}`);
  if (status >= 300) throw new EndpointFailure("malformed", `returned status ${status}`);
  throw new EndpointFailure("malformed", "returned a reply that is not JSON-RPC");
}

function parseJson(body: Buffer, parseReply: ParseJson): unknown {
  try {
    return parseReply(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Dates are ignored, because the clock of the server may differ from ours. */
function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}
