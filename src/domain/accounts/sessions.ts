import { type App, inSeconds, newId } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { hashToken, makeToken } from "../../lib/secrets/tokens.ts";
import * as store from "../../store/accounts/sessions.ts";
import * as staffStore from "../../store/accounts/staff.ts";
import type { Db } from "../../store/open-store.ts";
import type { Session } from "../../wire/accounts/auth.ts";
import type { Role, Tier } from "../../wire/primitives.ts";
import type { RequestContext, StaffCaller, UserCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";

const day = 24 * 60 * 60;

/** Idle timeout and maximum lifetime of sessions. Staff sessions have more privileges and expire sooner. */
export const sessionLife = {
  user: { idleSeconds: 7 * day, maxSeconds: 30 * day },
  staff: { idleSeconds: day, maxSeconds: 7 * day },
};

/** Limits writes of `last_used_at`, which would otherwise occur on every request. */
const touchEverySeconds = 300;

export type UserSession = {
  user: UserCaller;
  active: { org_id: string; tier: Tier; role: Role } | undefined;
};

/** Starts a session and returns its token, which is stored only as a hash. */
export async function startUserSession(
  app: App,
  tx: Db,
  user_id: string,
  ip: string | null,
): Promise<string> {
  const token = makeToken(app.random);
  await store.insertSession(tx, { ...newSession(app, token, sessionLife.user.maxSeconds), user_id, ip });
  return token;
}

export async function startStaffSession(app: App, tx: Db, staff_id: string): Promise<string> {
  const token = makeToken(app.random);
  await staffStore.insertStaffSession(tx, {
    ...newSession(app, token, sessionLife.staff.maxSeconds),
    staff_id,
  });
  return token;
}

/** Returns the user of a session; undefined if it is unknown or has expired. */
export async function openUserSession(
  app: App,
  token: string,
  context: RequestContext,
): Promise<UserSession | undefined> {
  const now = app.clock.now();
  const row = await store.findSession(
    app.pool,
    hashToken(token),
    now,
    inSeconds(app, -sessionLife.user.idleSeconds),
  );
  if (!row) return undefined;
  if (isStale(row.last_used_at, now)) await store.touchSession(app.db, row.session_id, now);
  const { user_id, session_id, email, name, org_id, tier, role } = row;
  return {
    user: { kind: "user", user_id, session_id, email, name, context },
    active: org_id && tier && role ? { org_id, tier, role } : undefined,
  };
}

export async function openStaffSession(
  app: App,
  token: string,
  context: RequestContext,
): Promise<StaffCaller | undefined> {
  const now = app.clock.now();
  const idleSince = inSeconds(app, -sessionLife.staff.idleSeconds);
  const row = await staffStore.findStaffSession(app.db, hashToken(token), now, idleSince);
  if (!row) return undefined;
  if (isStale(row.last_used_at, now)) await staffStore.touchStaffSession(app.db, row.session_id, now);
  return { kind: "staff", staff_id: row.id, email: row.email, name: row.name, context };
}

/** Returns the sessions of the caller that have not ended, the newest first. */
export async function listSessions(app: App, { user_id, session_id }: UserCaller): Promise<Session[]> {
  const idleSince = inSeconds(app, -sessionLife.user.idleSeconds);
  const rows = await store.listSessionsOf(app.db, user_id, app.clock.now(), idleSince);
  return rows.map(({ id, ip, created_at, last_used_at, expires_at }) => ({
    id,
    is_current: id === session_id,
    ip,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
    expires_at: expires_at.toISOString(),
  }));
}

/** Ends one session of the caller, which may be the one of the request. */
export async function endSession(app: App, caller: UserCaller, session_id: string): Promise<{ ok: true }> {
  return inTransaction(app, caller, async (tx) => {
    if (!(await store.deleteSessionOf(tx, caller.user_id, session_id)))
      throw new AppError("not_found", "There is no such session.");
    return { ok: true };
  });
}

/** Ends every session of the caller except that of the request. */
export async function endOtherSessions(app: App, caller: UserCaller): Promise<{ ok: true }> {
  return inTransaction(app, caller, async (tx) => {
    await store.deleteSessionsOf(tx, caller.user_id, caller.session_id);
    return { ok: true };
  });
}

/** Ends the sessions of the given tokens. */
export async function endSessions(
  app: App,
  tokens: { user?: string | undefined; staff?: string | undefined },
) {
  if (tokens.user) await store.deleteSession(app.db, hashToken(tokens.user));
  if (tokens.staff) await staffStore.deleteStaffSession(app.db, hashToken(tokens.staff));
}

function newSession(app: App, token: string, maxSeconds: number) {
  const now = app.clock.now();
  return {
    id: newId(app),
    token_hash: hashToken(token),
    created_at: now,
    last_used_at: now,
    expires_at: inSeconds(app, maxSeconds),
  };
}

function isStale(last_used_at: Date, now: Date): boolean {
  return now.getTime() - last_used_at.getTime() > touchEverySeconds * 1000;
}
