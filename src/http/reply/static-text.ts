import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { compress, type Encoding, encodingFor } from "./compression.ts";

/** A text that is the same for everyone until the service is updated, compressed on first use and then kept. */
export type StaticText = { text: string; etag: string; encoded: Map<Encoding, Promise<Buffer>> };

export function staticText(text: string): StaticText {
  const etag = `W/"${createHash("sha1").update(text).digest("base64url")}"`;
  return { text, etag, encoded: new Map() };
}

/** Sends the text, or 304 if the client has it. */
export async function sendStatic(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { text, etag, encoded }: StaticText,
  type: string,
): Promise<FastifyReply> {
  reply.header("cache-control", "no-cache").header("vary", "accept-encoding").header("etag", etag);
  if (headers["if-none-match"] === etag) return reply.code(304).send();
  reply.type(`${type}; charset=utf-8`);
  const encoding = encodingFor(headers["accept-encoding"], text.length);
  if (!encoding) return reply.send(text);
  const content = encoded.get(encoding) ?? compress(encoding, text);
  encoded.set(encoding, content);
  return reply.header("content-encoding", encoding).send(await content);
}
