import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { compress, encodingFor } from "./compression.ts";

/**
 * Sends a value as JSON, without validation: the tests check replies against their schemas. A GET has a weak ETag, by which a client that
 * sends it again gets 304. A reply with a secret is not compressed, because its length would tell something about the secret.
 */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  value: unknown,
  { isSecret }: { isSecret: boolean },
): Promise<FastifyReply> {
  const text = JSON.stringify(value);
  reply.header("content-type", "application/json; charset=utf-8");
  if (request.method === "GET" || request.method === "HEAD") {
    const etag = weakTag(text);
    reply.header("etag", etag);
    if (isKnown(request.headers["if-none-match"], etag)) return reply.code(304).send();
  }
  if (isSecret) return reply.send(text);
  return sendCompressed(request, reply, text);
}

async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  reply.header("vary", "accept-encoding");
  const encoding = encodingFor(request.headers["accept-encoding"], text.length);
  if (!encoding) return reply.send(text);
  return reply.header("content-encoding", encoding).send(await compress(encoding, text));
}

function weakTag(text: string): string {
  return `W/"${createHash("sha1").update(text).digest("base64url")}"`;
}

/** True if the client has this version; it compares weakly, as for every GET. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag.slice("W/".length));
}
