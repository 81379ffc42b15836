import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { App } from "../app.ts";
import { makeDocument } from "./openapi/document.ts";

const folder = new URL("./pages/", import.meta.url);
const redocBundle = createRequire(import.meta.url).resolve("redoc/bundles/redoc.standalone.js");

/** Only our own files, no inline script: what a page shows may come from people we do not know. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'none'; frame-ancestors 'none'; base-uri 'none'";
/** Redoc styles its page from script and searches in a worker made from a blob; it still loads nothing from elsewhere. */
const redocPolicy = pagePolicy
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .concat("; worker-src blob:");

/** The few pages and files that the service serves itself. */
export async function servePages(server: FastifyInstance, app: App): Promise<void> {
  // Made when first asked for: it takes a good part of the time that a start takes.
  let document: string | undefined;
  server.get("/openapi.json", async (_request, reply) => {
    document ??= JSON.stringify(makeDocument(app.config));
    return reply.header("cache-control", "no-cache").type("application/json; charset=utf-8").send(document);
  });
  await serveFile(server, "/", "home.html");
  await serveFile(server, "/links/:page", "link.html");
  await serveFile(server, "/assets/link.js", "link.js");
  await serveFile(server, "/assets/page.css", "page.css");
  await serveFile(server, "/redoc", "redoc.html", { policy: redocPolicy });
  await serveFile(server, "/assets/redoc.js", redocBundle, { edit: withoutForeignImage });
}

/** Redoc's badge loads a picture from its maker's servers; a reader of the reference asks nobody but us. */
function withoutForeignImage(script: string): string {
  return script.replace("https://cdn.redoc.ly/redoc/logo-mini.svg", "data:,");
}

const types: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

/** Read once: the files are small and part of the release. */
async function serveFile(
  server: FastifyInstance,
  url: string,
  file: string,
  { policy = pagePolicy, edit = (text: string) => text } = {},
): Promise<void> {
  const path = file.startsWith("/") ? file : fileURLToPath(new URL(file, folder));
  const content = Buffer.from(edit(await readFile(path, "utf8")));
  const type = types[path.split(".").at(-1) ?? ""];
  server.get(url, async (_request, reply: FastifyReply) =>
    reply
      .header("content-security-policy", policy)
      .header("cache-control", "no-cache")
      .type(`${type}; charset=utf-8`)
      .send(content),
  );
}
