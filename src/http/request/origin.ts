import type { FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import { AppError } from "../../errors/app-error.ts";
import { cookieNames } from "./cookies.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Rejects cross-site changes (CSRF). A request with a session cookie must prove that it comes from our own origin. A request
 * without one must only not come from a foreign origin: signing up by curl works, and a foreign page cannot log a visitor
 * in to another account.
 */
export function requireOwnOrigin(config: Config, request: FastifyRequest): void {
  if (safeMethods.has(request.method)) return;
  // Browsers do not add a key by themselves. Beside a cookie it proves nothing: a proxy's basic auth sets this header too.
  if (request.headers.authorization && !hasSessionCookie(request)) return;
  const evidence = originEvidence(config, request);
  if (evidence === "own" || (evidence === "none" && !hasSessionCookie(request))) return;
  throw new AppError(
    "csrf",
    "A change with a session cookie must come from this site. Send its origin in the Origin header.",
  );
}

/** Rejects requests of pages of other sites, whatever they prove otherwise. */
export function rejectForeignOrigin(config: Config, request: FastifyRequest): void {
  if (originEvidence(config, request) !== "foreign") return;
  throw new AppError(
    "csrf",
    "Pages of other sites may not send requests here. Send the request from a program, without an Origin header.",
  );
}

function originEvidence(config: Config, request: FastifyRequest): "own" | "foreign" | "none" {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return "foreign";
  const origin = request.headers.origin;
  if (origin !== undefined) return isOwnOrigin(config, request, origin) ? "own" : "foreign";
  return site === undefined ? "none" : "own";
}

function isOwnOrigin(config: Config, request: FastifyRequest, origin: string): boolean {
  if (origin === config.publicUrl?.origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.host;
}

function hasSessionCookie(request: FastifyRequest): boolean {
  return Object.values(cookieNames).some((name) => request.cookies[name]);
}
