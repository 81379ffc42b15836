import type { FastifyInstance } from "fastify";
import { InvalidRequest } from "../../errors/app-error.ts";

/** Deeper than any of our schemas, and shallow enough for recursion. */
const maxDepth = 64;

/** Parses JSON bodies. Invalid UTF-8, invalid JSON and excessive nesting are rejected with 422. */
export function parseJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (_request: unknown, body: Buffer) => {
      if (body.length === 0) return undefined;
      const text = decode(body);
      if (depthOf(text) > maxDepth)
        throw invalid(`is nested deeper than ${maxDepth} levels`, "json_too_deep");
      try {
        return JSON.parse(text);
      } catch {
        throw invalid("is not valid JSON", "json_invalid");
      }
    },
  );
}

/** Makes a scope of the server accept any body as raw bytes. */
export function keepRawBodies(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) => body);
  return scope;
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body);
  } catch {
    throw invalid("is not valid UTF-8", "json_invalid");
  }
}

function invalid(msg: string, type: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["body"], msg, type }]);
}

/** Counts the nesting of brackets outside strings, before parsing, so that deep input cannot exhaust the stack. */
function depthOf(text: string): number {
  let depth = 0;
  let maxSeen = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) isInString = true;
    else if (code === 0x7b || code === 0x5b) maxSeen = Math.max(maxSeen, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return maxSeen;
}
