import type { App } from "../../app.ts";
import { currentViewers } from "../../domain/analytics/stream-access.ts";
import { runForOwner } from "../../lib/concurrency/current-owner.ts";
import { runEvery } from "../../lib/concurrency/poll-loop.ts";
import { makeLiveUpdates } from "./live-updates.ts";
import { OrgFeed } from "./org-feed.ts";
import type { Subscriber } from "./subscriber.ts";

/** Intervals of the periodic work. Bus messages make updates fast; polling makes them reliable. */
export const streamPace = {
  heartbeatMs: 15_000,
  /** A stream must be closed within 30 seconds after its session, key or membership has ended. */
  accessCheckMs: 10_000,
  pollMs: 2_000,
  metricsMs: 5_000,
  chainsMs: 5_000,
  statsMs: 30_000,
};
export type StreamPace = typeof streamPace;

/** The maximum number of open streams per user or key in a process. */
const maxPerHolder = 20;

/** All open streams of this process. */
export type Hub = {
  hasCapacityFor(holder: Subscriber["holder"]): boolean;
  /** The number of open streams of an org in this process. */
  countOf(org_id: string): number;
  /** True once the hub is closing: a stream opened now would never be ended. */
  isClosing(): boolean;
  open(subscriber: Subscriber, lastEventId: string | undefined): Promise<void>;
  leave(subscriber: Subscriber): void;
  close(): Promise<void>;
};

/** The feed of each org with open streams, by org id. */
type Feeds = Map<string, OrgFeed>;

/** Creates the hub and starts its periodic work. */
export function makeHub(app: App, pace: StreamPace = streamPace): Hub {
  const feeds: Feeds = new Map();
  const counter = makeHolderCounter();
  const closing = new AbortController();
  const unsubscribe = subscribeToBus(app, feeds);
  const loops = startLoops(app, feeds, pace, closing.signal);

  return {
    hasCapacityFor: (holder) => counter.get(holder) < maxPerHolder,
    countOf: (org_id) => feeds.get(org_id)?.subscribers.size ?? 0,
    isClosing: () => closing.signal.aborted,
    async open(subscriber, lastEventId) {
      const { org_id } = subscriber.viewer;
      counter.add(subscriber.holder, 1);
      app.metrics.streamConnections.inc();
      const feed = feeds.get(org_id) ?? new OrgFeed(app, org_id);
      feeds.set(org_id, feed);
      const at = app.clock.now().toISOString();
      const greeting = { org_id, at, heartbeat_seconds: pace.heartbeatMs / 1000 };
      await runForOwner(org_id, () => feed.join(subscriber, lastEventId, greeting));
    },
    leave(subscriber) {
      counter.add(subscriber.holder, -1);
      app.metrics.streamConnections.dec();
      const feed = feeds.get(subscriber.viewer.org_id);
      feed?.leave(subscriber);
      if (feed?.subscribers.size === 0) feeds.delete(feed.org_id);
    },
    async close() {
      closing.abort();
      unsubscribe();
      for (const subscriber of allSubscribers(feeds)) subscriber.end();
      await Promise.all(loops);
    },
  };
}

/** Counts the open streams of each holder. */
function makeHolderCounter() {
  const counts = new Map<string, number>();
  const keyOf = (holder: Subscriber["holder"]) =>
    holder.kind === "session" ? `user ${holder.user_id}` : `key ${holder.key_id}`;
  return {
    get: (holder: Subscriber["holder"]) => counts.get(keyOf(holder)) ?? 0,
    add(holder: Subscriber["holder"], difference: 1 | -1) {
      const count = (counts.get(keyOf(holder)) ?? 0) + difference;
      if (count > 0) counts.set(keyOf(holder), count);
      else counts.delete(keyOf(holder));
    },
  };
}

/** Reacts to changes in orgs with open streams; returns the function that unsubscribes. */
function subscribeToBus(app: App, feeds: Feeds): () => void {
  const unsubscribers = [
    app.bus.subscribe("stream.changed", ({ org_id }) => {
      const feed = feeds.get(org_id ?? "");
      if (feed) void pump(app, feed);
    }),
    app.bus.subscribe("keys.changed", ({ org_id }) => {
      const feed = feeds.get(org_id ?? "");
      if (feed) void checkAccess(app, [...feed.subscribers]).catch(warnOfRetry(app));
    }),
  ];
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}

/** Starts the periodic work, each kind in its own loop; the promises settle after `signal` has aborted. */
function startLoops(app: App, feeds: Feeds, pace: StreamPace, signal: AbortSignal): Promise<void>[] {
  const every = (intervalMs: number, work: () => Promise<unknown>) => {
    const loop = { clock: app.clock, signal, intervalMs, startsWithWait: true, onError: warnOfRetry(app) };
    return runEvery(loop, async () => {
      if (feeds.size > 0) await work();
    });
  };
  const eachFeed = (work: (feed: OrgFeed) => Promise<void>) => Promise.all([...feeds.values()].map(work));
  const updates = makeLiveUpdates(app);
  return [
    every(pace.heartbeatMs, () => sendHeartbeat(app, feeds)),
    every(pace.accessCheckMs, () => checkAccess(app, allSubscribers(feeds))),
    // Not awaited: an org with endless messages must not keep the others waiting.
    every(pace.pollMs, async () => void eachFeed((feed) => pump(app, feed))),
    every(pace.metricsMs, () => eachFeed(updates.metrics)),
    every(pace.chainsMs, () => updates.chains([...feeds.values()])),
    every(pace.statsMs, () => eachFeed(updates.stats)),
  ];
}

function allSubscribers(feeds: Feeds): Subscriber[] {
  return [...feeds.values()].flatMap((feed) => [...feed.subscribers]);
}

async function pump(app: App, feed: OrgFeed): Promise<void> {
  await feed
    .pump()
    .catch((error) => app.log.warn({ err: error, org_id: feed.org_id }, "stream update failed, will retry"));
}

function warnOfRetry(app: App): (error: unknown) => void {
  return (error) => app.log.warn({ err: error }, "periodic work for streams failed, will retry");
}

async function sendHeartbeat(app: App, feeds: Feeds): Promise<void> {
  const data = { at: app.clock.now().toISOString() };
  for (const feed of feeds.values()) feed.broadcast("heartbeat", data, () => true);
}

/** Ends streams whose session, key or membership has ended, and updates what the others may see. */
async function checkAccess(app: App, subscribers: Subscriber[]): Promise<void> {
  const viewers = await currentViewers(app, subscribers);
  for (const [index, subscriber] of subscribers.entries()) {
    const viewer = viewers[index];
    if (viewer) subscriber.viewer = viewer;
    else subscriber.end();
  }
}
