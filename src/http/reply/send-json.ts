import type { FastifyReply, FastifyRequest } from "fastify";
import { compress, encodingFor } from "./compression.ts";
import { toJsonText } from "./json-text.ts";
import { toHashedBytes } from "./text-bytes.ts";

/**
 * Sends a value as JSON, without validation, and returns the length of the text: the tests check replies against their schemas.
 * A GET has a weak ETag, by which a client that sends it again gets 304. A reply with a secret is not compressed, because its
 * length would tell something about the secret.
 */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  value: unknown,
  { isSecret }: { isSecret: boolean },
): Promise<number> {
  const text = await toJsonText(value);
  const { bytes, hash } = await toHashedBytes(text);
  reply.header("content-type", "application/json; charset=utf-8");
  if (request.method === "GET" || request.method === "HEAD") {
    const etag = `W/"${hash}"`;
    reply.header("etag", etag);
    if (isKnown(request.headers["if-none-match"], etag)) {
      reply.code(304).send();
      return text.length;
    }
  }
  // Not awaited: a reply is a promise that waits until the client has read it.
  if (isSecret) reply.send(bytes);
  else await sendCompressed(request, reply, bytes);
  return text.length;
}

async function sendCompressed(request: FastifyRequest, reply: FastifyReply, bytes: Buffer): Promise<void> {
  reply.header("vary", "accept-encoding");
  const encoding = encodingFor(request.headers["accept-encoding"], bytes.length);
  if (!encoding) reply.send(bytes);
  else reply.header("content-encoding", encoding).send(await compress(encoding, bytes));
}

/** True if the client has this version; it compares weakly, as for every GET. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag.slice("W/".length));
}
