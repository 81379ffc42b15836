import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { openStaffSession, openUserSession, type UserSession } from "../../domain/accounts/sessions.ts";
import type { KeyCaller, StaffCaller, Trace } from "../../domain/caller.ts";
import { openKey } from "../../domain/orgs/api-keys.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Policy } from "../operation.ts";
import { cookieNames } from "./cookies.ts";

/** Who a request says it is from, proven. */
export type Identity = {
  trace: Trace;
  session?: UserSession | undefined;
  staff?: StaffCaller | undefined;
  key?: KeyCaller | undefined;
};

/** Finds out who calls, as far as the policy wants to know; refuses with 401 when nobody it wants is there. */
export async function authenticate(app: App, request: FastifyRequest, policy: Policy): Promise<Identity> {
  const trace: Trace = { request_id: request.id, ip: request.ip };
  if (policy.who === "anyone" || policy.who === "link") return { trace };
  if (policy.who === "staff") return authenticateStaff(app, request, trace);
  // A key wins over a cookie and never falls back to it: the caller meant the key.
  const { authorization } = request.headers;
  if (authorization !== undefined) return { trace, key: await openKey(app, bearerOf(authorization), trace) };
  const session = await sessionOf(app, request, trace);
  if (!session) throw unauthenticated(request);
  return { trace, session };
}

function bearerOf(authorization: string): string {
  const [, key] = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? [];
  if (key) return key;
  throw new AppError("api_key_missing", "Send an API key in the header: Authorization: Bearer <key>.");
}

/** To a signed-in user the staff's doors do not exist. */
async function authenticateStaff(app: App, request: FastifyRequest, trace: Trace): Promise<Identity> {
  const token = request.cookies[cookieNames.staff];
  const staff = token ? await openStaffSession(app, token, trace) : undefined;
  if (staff) return { trace, staff };
  if (await sessionOf(app, request, trace)) throw new AppError("not_found", "There is nothing here.");
  throw new AppError("unauthenticated", "Sign in as staff first.");
}

async function sessionOf(app: App, request: FastifyRequest, trace: Trace): Promise<UserSession | undefined> {
  const token = request.cookies[cookieNames.user];
  return token ? openUserSession(app, token, trace) : undefined;
}

function unauthenticated(request: FastifyRequest): AppError {
  return request.cookies[cookieNames.user]
    ? new AppError("session_expired", "Your session is over. Log in again.")
    : new AppError("unauthenticated", "Log in first, or send an API key.");
}
