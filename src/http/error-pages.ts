import type { FastifyInstance } from "fastify";
import { AppError, type ErrorCode, errorStatus } from "../errors/app-error.ts";
import { errorTexts } from "../errors/error-texts.ts";
import { pagePolicy } from "./pages.ts";
import { type StaticText, sendStatic, staticText } from "./reply/static-text.ts";

/** Serves a page about each error code, and a list of them. */
export function serveErrorPages(server: FastifyInstance): void {
  const pages = new Map<string, StaticText>();
  server.get("/docs/errors", async (request, reply) => {
    const page = pages.get("") ?? staticText(listPage());
    pages.set("", page);
    return sendStatic(request, reply.header("content-security-policy", pagePolicy), page, "text/html");
  });
  server.get<{ Params: { code: string } }>("/docs/errors/:code", async (request, reply) => {
    const { code } = request.params;
    if (!Object.hasOwn(errorTexts, code)) throw new AppError("not_found", "There is no such error code.");
    const page = pages.get(code) ?? staticText(codePage(code as ErrorCode));
    pages.set(code, page);
    return sendStatic(request, reply.header("content-security-policy", pagePolicy), page, "text/html");
  });
}

const codes = Object.keys(errorStatus) as ErrorCode[];

function listPage(): string {
  const items = codes.map(
    (code) => `<li><a href="/docs/errors/${code}"><code>${code}</code></a> (${errorStatus[code]})</li>`,
  );
  return pageOf("Error codes", `<ul>${items.join("")}</ul>`);
}

function codePage(code: ErrorCode): string {
  const { meaning, remedy } = errorTexts[code];
  return pageOf(
    code,
    `<p>Status ${errorStatus[code]}. ${markUp(meaning)}</p><h2>What to do</h2><p>${markUp(remedy)}</p><p><a href="/docs/errors">All error codes</a></p>`,
  );
}

function pageOf(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Tocsin</title></head><body><main><h1>${title}</h1>${content}</main></body></html>`;
}

/** Escapes our own texts, in which backticks mark code. */
function markUp(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/`([^`]+)`/g, "<code>$1</code>");
}
