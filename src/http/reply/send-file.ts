import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Download } from "../operation.ts";

/** A client that reads nothing for this long is disconnected. */
const maxIdleMs = 60_000;

/** Sends a file while it is produced: the next part is asked for when the client has read the one before. */
export function sendFile(
  reply: FastifyReply,
  { type, name }: Download,
  parts: AsyncIterable<string>,
): FastifyReply {
  reply.raw.setTimeout(maxIdleMs, () => reply.raw.destroy());
  return reply
    .header("content-type", `${type}; charset=utf-8`)
    .header("content-disposition", `attachment; filename="${name}"`)
    .send(Readable.from(parts));
}
