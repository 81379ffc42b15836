import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { App } from "../app.ts";
import { onFirstSuccess } from "../lib/caching/on-first-use.ts";
import { locateFile } from "../lib/process/installation.ts";
import { makeDocument } from "./openapi/document.ts";
import { type StaticText, sendStatic, staticText } from "./reply/static-text.ts";

const folder = locateFile("src/http/pages");
const redocBundle = createRequire(import.meta.url).resolve("redoc/bundles/redoc.standalone.js");

/** Only files from this origin and no inline script: pages may display untrusted content. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'none'; frame-ancestors 'none'; base-uri 'none'";
/** Redoc sets inline styles and searches in a blob worker; it still loads nothing from other origins. */
const redocPolicy = pagePolicy
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .concat("; worker-src blob:");

/** Serves the OpenAPI document and the page that shows it. */
export function servePages(server: FastifyInstance, app: App): void {
  // Built on first use, because it would slow the start noticeably.
  let document: StaticText | undefined;
  server.get("/openapi.json", async (request, reply) => {
    document ??= staticText(JSON.stringify(makeDocument(app.config)));
    return sendStatic(request, reply, document, "application/json");
  });
  serveFile(server, "/redoc", "redoc.html", { policy: redocPolicy });
  serveFile(server, "/assets/redoc.js", redocBundle, { edit: withoutForeignImage });
}

/** Removes the logo that Redoc loads from a third-party server. */
function withoutForeignImage(script: string): string {
  return script.replace("https://cdn.redoc.ly/redoc/logo-mini.svg", "data:,");
}

const types: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

/** Serves a file of the release. It is read on first use and then kept in memory. */
function serveFile(
  server: FastifyInstance,
  url: string,
  file: string,
  { policy = pagePolicy, edit = (text: string) => text } = {},
): void {
  const path = file.startsWith("/") ? file : join(folder, file);
  const content = onFirstSuccess(async () => staticText(edit(await readFile(path, "utf8"))));
  const type = types[path.split(".").at(-1) ?? ""] ?? "text/plain";
  server.get(url, async (request, reply) =>
    sendStatic(request, reply.header("content-security-policy", policy), await content(), type),
  );
}
