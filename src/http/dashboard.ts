import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { AppError } from "../errors/app-error.ts";
import { onFirstSuccess } from "../lib/caching/on-first-use.ts";
import { type Asset, openDashboard } from "./dashboard-files.ts";
import { cookieNames } from "./request/cookies.ts";

/** Pages without a session. They are a separate, small entry of the dashboard. */
const accountPaths = ["/login", "/signup", "/forgot-password", "/links/:page"];
/** Sections of the dashboard; each also has paths below it, which its router knows. */
const sections = [
  ...["/alerts", "/rules", "/policies", "/contracts", "/imports", "/channels", "/inbox", "/silences"],
  "/ui",
];
const appPaths = ["/", ...sections, ...sections.map((section) => `${section}/*`)];
/** The routes of the dashboard. */
export const dashboardPaths = [...accountPaths, ...appPaths, "/assets/*"];

/** Answers a browser that opened a path which does not exist. */
export type SendNotFound = (
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

/**
 * Serves the built dashboard: one HTML file per entry, and assets whose names contain a hash of their content. Returns the reply to
 * browsers for unknown paths: the dashboard, whose router shows that there is nothing.
 */
export function serveDashboard(server: FastifyInstance, app: App): SendNotFound {
  const files = onFirstSuccess(openDashboard);
  for (const path of accountPaths) server.get(path, (_, reply) => sendPage(reply, "auth.html"));
  const sendApp = (request: FastifyRequest, reply: FastifyReply) =>
    request.cookies[cookieNames.user] ? sendPage(reply, "index.html") : sendToLogIn(request, reply);
  for (const path of appPaths) server.get(path, sendApp);
  server.get("/assets/*", async (request, reply) => {
    const { "*": name } = request.params as { "*": string };
    const asset = (await files())?.assets.get(name);
    if (!asset) throw new AppError("not_found", "There is no such file.");
    return sendAsset(request, reply, asset);
  });
  return (request, reply) => sendApp(request, reply.code(404));

  async function sendPage(reply: FastifyReply, name: "auth.html" | "index.html"): Promise<FastifyReply> {
    const dashboard = await files();
    if (!dashboard) return sendUnbuilt(reply);
    const nonce = app.random.bytes(16).toString("base64");
    const html = dashboard.pages[name]
      .replaceAll("__NONCE__", nonce)
      .replace("__THEME__", themeOf(reply.request));
    return (
      reply
        .header("content-security-policy", policyFor(nonce))
        // A page from a cache would survive a log-out, and name assets of an old release.
        .header("cache-control", "no-store")
        .type("text/html; charset=utf-8")
        .send(html)
    );
  }
}

/** Styles with the nonce are those that dialogs insert; there is no inline script. */
function policyFor(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The attribute is set before the first paint, without a script. Anything else follows the device. */
function themeOf({ cookies }: FastifyRequest): string {
  return cookies.theme === "light" || cookies.theme === "dark" ? cookies.theme : "system";
}

function sendToLogIn({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const next = url === "/" ? "" : `?next=${encodeURIComponent(url)}`;
  return reply.redirect(`/login${next}`, 302);
}

function sendAsset({ headers }: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const accepted = headers["accept-encoding"] ?? "";
  const encoding = (["br", "gzip"] as const).find(
    (encoding) => accepted.includes(encoding) && asset.encoded[encoding],
  );
  reply
    .header("cache-control", "public, max-age=31536000, immutable")
    .header("vary", "accept-encoding")
    .header("etag", asset.etag);
  if (headers["if-none-match"] === asset.etag) return reply.code(304).send();
  if (encoding) reply.header("content-encoding", encoding);
  return reply.type(asset.type).send(encoding ? asset.encoded[encoding] : asset.content);
}

function sendUnbuilt(reply: FastifyReply): FastifyReply {
  const text =
    "The dashboard is not built. Run `npm run build`, then start the service again. The API works: see /redoc.";
  return reply.code(503).type("text/plain; charset=utf-8").send(text);
}
