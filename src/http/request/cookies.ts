import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import { sessionLife } from "../../domain/accounts/sessions.ts";

export const cookieNames = { user: "access_token", staff: "admin_token" } as const;
export type CookieKind = keyof typeof cookieNames;

/** The session cookies of one request and its reply. */
export type Cookies = {
  get(kind: CookieKind): string | undefined;
  set(kind: CookieKind, token: string): void;
  clear(kind: CookieKind): void;
};

export function cookiesOf(config: Config, request: FastifyRequest, reply: FastifyReply): Cookies {
  const options = (kind: CookieKind) => ({
    path: "/",
    httpOnly: true,
    // Staff never arrive through a link from another site, so their cookie can be strict.
    sameSite: kind === "staff" ? ("strict" as const) : ("lax" as const),
    secure: isHttps(config, request),
  });
  return {
    get: (kind) => request.cookies[cookieNames[kind]] || undefined,
    set: (kind, token) =>
      reply.setCookie(cookieNames[kind], token, { ...options(kind), maxAge: sessionLife[kind].maxSeconds }),
    clear: (kind) => reply.clearCookie(cookieNames[kind], options(kind)),
  };
}

function isHttps(config: Config, request: FastifyRequest): boolean {
  return config.publicUrl?.protocol === "https:" || request.protocol === "https";
}
