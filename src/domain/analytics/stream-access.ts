import { type App, inSeconds } from "../../app.ts";
import { listLiveKeys, listLiveSessions } from "../../store/analytics/stream.ts";
import type { Viewer } from "../../store/viewer.ts";
import { sessionLife } from "../accounts/sessions.ts";

/** The credential that opened a stream; access is checked against it while the stream is open. */
export type StreamHolder =
  | { kind: "session"; session_id: string; user_id: string }
  | { kind: "api_key"; key_id: string };

/** Returns the current viewer of each open stream, in order; undefined if its session, key or membership has ended. */
export async function currentViewers(
  app: App,
  streams: { holder: StreamHolder; viewer: Viewer }[],
): Promise<(Viewer | undefined)[]> {
  const now = app.clock.now();
  const sessions = streams.flatMap(({ holder }) => (holder.kind === "session" ? [holder.session_id] : []));
  const keys = streams.flatMap(({ holder }) => (holder.kind === "api_key" ? [holder.key_id] : []));
  const [liveSessions, liveKeys] = await Promise.all([
    listLiveSessions(app.db, [...new Set(sessions)], now, inSeconds(app, -sessionLife.user.idleSeconds)),
    listLiveKeys(app.db, [...new Set(keys)], now),
  ]);
  return streams.map(({ holder, viewer }) => {
    if (holder.kind === "api_key") return liveKeys.has(holder.key_id) ? viewer : undefined;
    const membership = liveSessions.get(holder.session_id);
    if (membership?.org_id !== viewer.org_id) return undefined;
    return { ...viewer, user_id: membership.role === "admin" ? null : holder.user_id };
  });
}
