import { type Outbound, OutboundError, type OutboundReply } from "../../lib/outbound/outbound.ts";
import { classifyStatus } from "./classify-error.ts";
import { EndpointFailure } from "./failure.ts";

/** Where requests go, with the credentials that a URL may carry put where HTTP wants them. */
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

/** Sends a payload and parses what comes back; whatever is not JSON is the endpoint's failure. */
export async function postJson(
  outbound: Outbound,
  address: EndpointAddress,
  payload: unknown,
  { timeoutMs, maxBytes, signal }: Limits & { signal: AbortSignal },
): Promise<{ reply: unknown; bytes: number }> {
  const { url, headers } = address;
  const body = JSON.stringify(payload);
  const response = await outbound
    .send({ method: "POST", url, headers, body, timeoutMs, maxBytes, signal })
    .catch((error: unknown) => {
      throw toEndpointFailure(error);
    });
  if (response.truncated) throw new EndpointFailure("too_large", "sent a longer answer than is read");
  return { reply: parse(response), bytes: response.body.length };
}

function toEndpointFailure(error: unknown): EndpointFailure {
  if (!(error instanceof OutboundError)) return new EndpointFailure("down", "could not be asked");
  const kind = error.kind === "protocol" ? "malformed" : "down";
  return new EndpointFailure(kind, failureMessages[error.kind]);
}

// The message of an OutboundError begins with the host, which is said elsewhere.
const failureMessages: Record<OutboundError["kind"], string> = {
  refused_address: "has an address that is refused",
  dns: "was not found",
  connect: "could not be reached",
  tls: "could not be reached securely",
  timeout: "did not answer in time",
  reset: "broke off its answer",
  protocol: "did not answer in proper HTTP",
};

function parse({ status, headers, body }: OutboundReply): unknown {
  const failure = classifyStatus(status, retryAfterMs(headers["retry-after"]));
  if (failure) throw failure;
  const reply = parseJson(body);
  const isEnvelope = typeof reply === "object" && reply !== null;
  if (isEnvelope && (status < 300 || Array.isArray(reply) || "error" in reply)) return reply;
  // A gateway in front of the node is down; anything else may be dislike of this very request.
  if (status > 500) throw new EndpointFailure("down", `answered with status ${status}`);
  if (status >= 300) throw new EndpointFailure("malformed", `answered with status ${status}`);
  throw new EndpointFailure("malformed", "answered with something that is not JSON-RPC");
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Dates are ignored: they would have to be compared with a clock that is not ours. */
function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}
