import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { openStaffSession, openUserSession, type UserSession } from "../../domain/accounts/sessions.ts";
import type { KeyCaller, RequestContext, StaffCaller } from "../../domain/caller.ts";
import { authenticateKey } from "../../domain/orgs/key-authentication.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Policy } from "../operation.ts";
import { cookieNames } from "./cookies.ts";

/** The authenticated identity of a request. */
export type Identity = {
  context: RequestContext;
  session?: UserSession | undefined;
  staff?: StaffCaller | undefined;
  key?: KeyCaller | undefined;
};

/** Authenticates the caller as the policy requires; rejects with 401 if the credentials are missing or invalid. */
export async function authenticate(app: App, request: FastifyRequest, policy: Policy): Promise<Identity> {
  const context: RequestContext = { request_id: request.id, ip: request.ip };
  if (policy.who === "anyone" || policy.who === "link") return { context };
  if (policy.who === "staff") return authenticateStaff(app, request, context);
  // A key takes precedence over a cookie, without fallback: the client chose to use the key.
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const { operation = "none" } = request.routeOptions.config;
    return { context, key: await authenticateKey(app, bearerOf(authorization), context, operation) };
  }
  const session = await sessionOf(app, request, context);
  if (!session) throw unauthenticated(request);
  return { context, session };
}

function bearerOf(authorization: string): string {
  const [, key] = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? [];
  if (key) return key;
  throw new AppError("api_key_missing", "Send an API key in the header: Authorization: Bearer <key>.");
}

/** Hides the operations of staff from everyone without a staff cookie: they get a 404. */
async function authenticateStaff(
  app: App,
  request: FastifyRequest,
  context: RequestContext,
): Promise<Identity> {
  const token = request.cookies[cookieNames.staff];
  const staff = token ? await openStaffSession(app, token, context) : undefined;
  if (staff) return { context, staff };
  const isHidden = !token || (await sessionOf(app, request, context));
  if (isHidden) throw new AppError("not_found", "This path does not exist. See /redoc for the operations.");
  throw new AppError("unauthenticated", "Log in as staff first.");
}

async function sessionOf(
  app: App,
  request: FastifyRequest,
  context: RequestContext,
): Promise<UserSession | undefined> {
  const token = request.cookies[cookieNames.user];
  return token ? openUserSession(app, token, context) : undefined;
}

function unauthenticated(request: FastifyRequest): AppError {
  return request.cookies[cookieNames.user]
    ? new AppError("session_expired", "Your session has expired. Log in again.")
    : new AppError("unauthenticated", "Log in first, or send an API key.");
}
