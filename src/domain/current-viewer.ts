import { type App, inSeconds } from "../app.ts";
import { AppError } from "../errors/app-error.ts";
import { listLiveKeys, listLiveSessions } from "../store/analytics/stream.ts";
import { findOrgOf } from "../store/orgs/orgs.ts";
import type { Viewer } from "../store/viewer.ts";
import { sessionLife } from "./accounts/sessions.ts";
import type { OrgCaller } from "./caller.ts";
import { viewerOf } from "./viewer-of.ts";

/**
 * Returns the viewer of a caller as it is now, for work that goes on long after the request was authorised. Throws if the session,
 * the key or the membership has ended.
 */
export async function currentViewer(app: App, caller: OrgCaller): Promise<Viewer> {
  if (caller.kind === "system") return viewerOf(caller);
  const now = app.clock.now();
  if (caller.kind === "api_key") {
    if ((await listLiveKeys(app.db, [caller.key_id], now)).has(caller.key_id)) return viewerOf(caller);
    throw new AppError("api_key_revoked", "This API key was revoked or has expired. Create a new one.");
  }
  const { session_id, user_id, org_id } = caller;
  const idleSince = inSeconds(app, -sessionLife.user.idleSeconds);
  const isLive = (await listLiveSessions(app.db, [session_id], now, idleSince)).has(session_id);
  const org = isLive ? await findOrgOf(app.db, org_id, user_id) : undefined;
  if (org) return viewerOf({ ...caller, role: org.role });
  throw new AppError("session_expired", "Your session or your membership has ended.");
}
