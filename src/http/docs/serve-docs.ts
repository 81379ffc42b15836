import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { onFirstSuccess } from "../../lib/caching/on-first-use.ts";
import { pagePolicy } from "../pages.ts";
import { type StaticText, sendStatic, staticText } from "../reply/static-text.ts";
import { mainPaths, makeDocPages, makeLlmsText } from "./index.ts";
import { markdownPath, toHtml, toMarkdown } from "./page.ts";
import type { ApiDocument } from "./reference/openapi-parts.ts";

/** Serves the documentation as HTML, each page also as Markdown, and the list of it for language models. */
export function serveDocs(server: FastifyInstance, app: App, document: () => Promise<object>): void {
  const pages = onFirstSuccess(async () => makeDocPages(app.config, (await document()) as ApiDocument));
  const texts = new Map<string, StaticText>();
  const cached = (path: string, make: () => string): StaticText => {
    const text = texts.get(path) ?? staticText(make());
    texts.set(path, text);
    return text;
  };

  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const requested = request.url.split("?", 1)[0] ?? "";
    const path = requested === "/redoc" ? "/docs/api" : requested;
    const isMarkdown = path.endsWith(".md");
    const page = (await pages()).get(isMarkdown ? path.slice(0, -".md".length) : path);
    if (!page) throw new AppError("not_found", "There is no such page. See /docs.");
    if (isMarkdown)
      return sendStatic(
        request,
        reply,
        cached(path, () => toMarkdown(page)),
        "text/markdown",
      );
    reply.header("content-security-policy", pagePolicy);
    return sendStatic(
      request,
      reply,
      cached(path, () => toHtml(page)),
      "text/html",
    );
  };
  for (const path of mainPaths) {
    server.get(path, send);
    server.get(markdownPath(path), send);
  }
  for (const path of ["/docs/errors/:code", "/docs/api/:group", "/docs/api/schemas/:name"])
    server.get(path, send);
  server.get("/redoc", send);
  server.get("/llms.txt", async (request, reply) => {
    const all = await pages();
    return sendStatic(
      request,
      reply,
      cached("/llms.txt", () => makeLlmsText(all, app.config)),
      "text/plain",
    );
  });
}
