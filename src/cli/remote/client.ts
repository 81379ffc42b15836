import type { Remote } from "../../config.ts";
import { OperatorError } from "../../lib/operator-error.ts";
import { describeIssues } from "../configuration/describe-issues.ts";

/** A client of the API of another Tocsin, with an API key. */
export type RemoteClient = {
  get<Reply>(path: string): Promise<Reply>;
  post<Reply>(path: string, body: unknown): Promise<Reply>;
};

const timeoutMs = 60_000;

export function makeRemoteClient(remote: Remote): RemoteClient {
  return {
    get: (path) => send(remote, "GET", path),
    post: (path, body) => send(remote, "POST", path, body),
  };
}

async function send<Reply>(
  { url, key }: Remote,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> {
  const request = {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const reply = await fetch(new URL(`api/v1${path}`, url), request).catch((error: unknown) => {
    throw new OperatorError(`TOCSIN_URL ${url.origin} cannot be reached: ${reasonOf(error)}.`);
  });
  const text = await reply.text();
  const content = parseJson(text);
  if (reply.ok && content !== undefined) return content as Reply;
  throw new OperatorError(describeFailure(reply.status, content, url));
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeFailure(status: number, content: unknown, url: URL): string {
  const detail =
    typeof content === "object" && content !== null && "detail" in content ? content.detail : undefined;
  if (status === 401) return `TOCSIN_API_KEY is not accepted: ${detail}`;
  if (Array.isArray(detail)) return describeIssues(detail);
  if (typeof detail === "string") return `The service replied with ${status}: ${detail}`;
  return `${url.origin} replied with ${status}, which is not a reply of Tocsin. Check TOCSIN_URL.`;
}
