import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { onFirstSuccess } from "../lib/caching/on-first-use.ts";
import { locateFile } from "../lib/process/installation.ts";
import { sendStatic, staticText } from "./reply/static-text.ts";

const folder = locateFile("src/http/pages");

/** Only files from this origin and no inline script: pages may display untrusted content. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'none'; frame-ancestors 'none'; base-uri 'none'";
/** Serves the OpenAPI document, and the style and the script of the documentation. */
export function servePages(server: FastifyInstance, document: () => Promise<object>): void {
  const text = onFirstSuccess(async () => staticText(JSON.stringify(await document())));
  server.get("/openapi.json", async (request, reply) =>
    sendStatic(request, reply, await text(), "application/json"),
  );
  serveFile(server, "/assets/docs.css");
  serveFile(server, "/assets/docs.js");
}

const types: Record<string, string> = { ".js": "text/javascript", ".css": "text/css" };

/** Serves a file of the release. It is read on first use and then kept in memory. */
function serveFile(server: FastifyInstance, url: string): void {
  const path = join(folder, basename(url));
  const content = onFirstSuccess(async () => staticText(await readFile(path, "utf8")));
  const type = types[extname(path)] ?? "text/plain";
  server.get(url, async (request, reply) =>
    sendStatic(request, reply.header("content-security-policy", pagePolicy), await content(), type),
  );
}
