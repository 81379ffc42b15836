import { type App, inSeconds } from "../../app.ts";
import { sessionLife } from "../../domain/accounts/sessions.ts";
import { runEvery } from "../../lib/poll-loop.ts";
import { listLiveKeys, listLiveSessions } from "../../store/analytics/stream.ts";
import type { Listener } from "./listener.ts";
import { makeLiveUpdates } from "./live-updates.ts";
import { Room } from "./room.ts";

/** How often each thing is done. Hints make messages quick; looking makes them sure. */
export const streamPace = {
  heartbeatMs: 15_000,
  /** A stream whose session, key or membership has ended must be closed within 30 seconds. */
  checkMs: 10_000,
  lookMs: 2_000,
  metricsMs: 5_000,
  chainsMs: 5_000,
  statsMs: 30_000,
};
export type StreamPace = typeof streamPace;

/** The most streams of one person or key in a process: a browser with many tabs, not a flood. */
const maxPerHolder = 20;

/** All open streams of this process. */
export type Hub = {
  /** Whether one more stream of this holder is welcome. */
  hasPlaceFor(holder: Listener["holder"]): boolean;
  /** Whether it has begun to close: a stream that opened now would never be ended. */
  isClosing(): boolean;
  open(listener: Listener, lastEventId: string | undefined): Promise<void>;
  leave(listener: Listener): void;
  close(): Promise<void>;
};

export function makeHub(app: App, pace: StreamPace = streamPace): Hub {
  const rooms = new Map<string, Room>();
  const held = new Map<string, number>();
  const closing = new AbortController();
  const all = () => [...rooms.values()].flatMap((room) => [...room.guests]);

  const later = (error: unknown) =>
    app.log.warn({ err: error }, "the streams could not be served and will be looked at again");
  const pump = (room: Room) =>
    room
      .pump()
      .catch((error) => app.log.warn({ err: error }, "a stream was not fed and will be looked at again"));
  const unsubscribe = [
    app.bus.subscribe("stream.changed", ({ org_id }) => {
      const room = rooms.get(org_id ?? "");
      if (room) void pump(room);
    }),
    app.bus.subscribe("keys.changed", ({ org_id }) => {
      const room = rooms.get(org_id ?? "");
      if (room) void check(app, [...room.guests]).catch(later);
    }),
  ];
  const every = async (ms: number, work: () => Promise<unknown>) => {
    const loop = { clock: app.clock, signal: closing.signal, intervalMs: ms, startsWithWait: true };
    await runEvery({ ...loop, onError: later }, async () => {
      if (rooms.size > 0) await work();
    });
  };
  const news = makeLiveUpdates(app);
  const loops = [
    every(pace.heartbeatMs, () => beat(app, rooms)),
    every(pace.checkMs, () => check(app, all())),
    every(pace.lookMs, () => Promise.all([...rooms.values()].map(pump))),
    every(pace.metricsMs, () => Promise.all([...rooms.values()].map(news.metrics))),
    every(pace.chainsMs, () => news.chains([...rooms.values()])),
    every(pace.statsMs, () => Promise.all([...rooms.values()].map(news.stats))),
  ];

  return {
    hasPlaceFor: (holder) => (held.get(nameOf(holder)) ?? 0) < maxPerHolder,
    isClosing: () => closing.signal.aborted,
    async open(listener, lastEventId) {
      const { org_id } = listener.viewer;
      const name = nameOf(listener.holder);
      held.set(name, (held.get(name) ?? 0) + 1);
      const room = rooms.get(org_id) ?? new Room(app, org_id);
      rooms.set(org_id, room);
      room.guests.add(listener);
      const about = { org_id, at: app.clock.now().toISOString(), heartbeat_seconds: pace.heartbeatMs / 1000 };
      await room.join(listener, lastEventId, about);
    },
    leave(listener) {
      const name = nameOf(listener.holder);
      const left = (held.get(name) ?? 1) - 1;
      if (left > 0) held.set(name, left);
      else held.delete(name);
      const room = rooms.get(listener.viewer.org_id);
      room?.guests.delete(listener);
      room?.listeners.delete(listener);
      if (room?.guests.size === 0) rooms.delete(room.org_id);
    },
    async close() {
      closing.abort();
      for (const stop of unsubscribe) stop();
      for (const listener of all()) listener.end();
      await Promise.all(loops);
    },
  };
}

function nameOf(holder: Listener["holder"]): string {
  return holder.kind === "session" ? `user ${holder.user_id}` : `key ${holder.key_id}`;
}

async function beat(app: App, rooms: Map<string, Room>): Promise<void> {
  const data = { at: app.clock.now().toISOString() };
  for (const room of rooms.values()) room.broadcast("heartbeat", data, () => true);
}

/** Ends the streams of those who may no longer listen, and lets the others see what they may see by now. */
async function check(app: App, listeners: Listener[]): Promise<void> {
  const now = app.clock.now();
  const sessions = listeners.flatMap(({ holder }) => (holder.kind === "session" ? [holder.session_id] : []));
  const keys = listeners.flatMap(({ holder }) => (holder.kind === "api_key" ? [holder.key_id] : []));
  const [liveSessions, liveKeys] = await Promise.all([
    listLiveSessions(app.db, [...new Set(sessions)], now, inSeconds(app, -sessionLife.user.idleSeconds)),
    listLiveKeys(app.db, [...new Set(keys)], now),
  ]);
  for (const listener of listeners) {
    const { holder, viewer } = listener;
    if (holder.kind === "api_key") {
      if (!liveKeys.has(holder.key_id)) listener.end();
      continue;
    }
    const where = liveSessions.get(holder.session_id);
    if (where?.org_id !== viewer.org_id) listener.end();
    else listener.viewer = { ...viewer, user_id: where.role === "admin" ? null : holder.user_id };
  }
}
