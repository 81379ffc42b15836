import type { FastifyReply, FastifyRequest } from "fastify";
import type { KeyCaller, MemberCaller } from "../../domain/caller.ts";
import { viewerOf } from "../../domain/viewer-of.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Hub } from "./hub.ts";
import { type Holder, Listener } from "./listener.ts";

/** Turns an answer into a stream that stays open until either side ends it. */
export async function openStream(
  hub: Hub,
  caller: MemberCaller | KeyCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const holder = holderOf(caller);
  if (!hub.hasPlaceFor(holder)) {
    throw new AppError("rate_limited", "You have too many streams open. Close one first.", {
      retryAfterSeconds: 5,
    });
  }
  if (hub.isClosing()) {
    throw new AppError("unavailable", "The service is being stopped. Try again.", { retryAfterSeconds: 1 });
  }
  const response = reply.hijack().raw;
  // Whoever left before would never be heard to leave.
  if (response.destroyed) return;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    // Proxies that gather answers would turn seconds into minutes.
    "x-accel-buffering": "no",
    connection: "keep-alive",
  });
  response.flushHeaders();
  if (request.method === "HEAD") return void response.end();
  const listener = new Listener(response, viewerOf(caller), holder);
  response.once("close", () => hub.leave(listener));
  response.on("error", () => undefined);
  const last = request.headers["last-event-id"];
  await hub.open(listener, typeof last === "string" ? last : undefined).catch(() => listener.end());
}

function holderOf(caller: MemberCaller | KeyCaller): Holder {
  if (caller.kind === "api_key") return { kind: "api_key", key_id: caller.key_id };
  return { kind: "session", session_id: caller.session_id, user_id: caller.user_id };
}
