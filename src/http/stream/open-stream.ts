import type { FastifyReply, FastifyRequest } from "fastify";
import type { StreamHolder } from "../../domain/analytics/stream-access.ts";
import type { KeyCaller, MemberCaller } from "../../domain/caller.ts";
import { viewerOf } from "../../domain/viewer-of.ts";
import { AppError } from "../../errors/app-error.ts";
import { tierLimits } from "../../tiers.ts";
import type { Hub } from "./hub.ts";
import { Subscriber } from "./subscriber.ts";

/** Turns a reply into an event stream that stays open until either side ends it. */
export async function openStream(
  hub: Hub,
  caller: MemberCaller | KeyCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const holder = holderOf(caller);
  if (!hub.hasCapacityFor(holder)) {
    throw new AppError("rate_limited", "Too many streams are open. Close one first.", {
      retryAfterSeconds: 5,
    });
  }
  const { streams } = tierLimits[caller.tier];
  if (hub.countOf(caller.org_id) >= streams) {
    const message = `The organisation has ${streams} open streams, the maximum of its tier. Close one first.`;
    throw new AppError("org_busy", message, { retryAfterSeconds: 5 });
  }
  if (hub.isClosing()) {
    throw new AppError("unavailable", "The service is shutting down. Try again.", { retryAfterSeconds: 1 });
  }
  const response = reply.hijack().raw;
  // The close event of a client that has already disconnected will not come.
  if (response.destroyed) return;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    // Disables response buffering in nginx, which would delay events.
    "x-accel-buffering": "no",
    connection: "keep-alive",
  });
  response.flushHeaders();
  if (request.method === "HEAD") return void response.end();
  const subscriber = new Subscriber(response, viewerOf(caller), holder);
  response.once("close", () => hub.leave(subscriber));
  response.on("error", () => undefined);
  await hub.open(subscriber, lastEventIdOf(request)).catch(() => subscriber.end());
}

/** A reconnecting EventSource sends the header; a new one cannot, and uses the query. */
function lastEventIdOf({ headers, query }: FastifyRequest): string | undefined {
  const header = headers["last-event-id"];
  if (typeof header === "string") return header;
  return (query as { last_event_id?: string }).last_event_id;
}

function holderOf(caller: MemberCaller | KeyCaller): StreamHolder {
  if (caller.kind === "api_key") return { kind: "api_key", key_id: caller.key_id };
  return { kind: "session", session_id: caller.session_id, user_id: caller.user_id };
}
