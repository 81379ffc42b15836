import type { App } from "../../app.ts";
import type { Viewer } from "../../domain/access.ts";
import { dashboardStats } from "../../domain/analytics/dashboard-stats.ts";
import { listRecentReadings, makeViewReducer } from "../../domain/analytics/live-views.ts";
import { makeContractFilter } from "../../domain/analytics/stream.ts";
import { listEnabledChains } from "../../domain/contracts/chains.ts";
import { nextTurn } from "../../lib/concurrency/turns.ts";
import type { OrgFeed } from "./org-feed.ts";

const readingsPerTurn = 50;

/** The maximum number of distinct views of an org for which statistics are counted per round. */
const maxViewsPerRound = 20;

/** Sends updates that are not stored: readings, chain states and statistics. */
export function makeLiveUpdates(app: App) {
  return { metrics: makeMetricUpdates(app), chains: makeChainUpdates(app), stats: makeStatsUpdates(app) };
}

/** Returns a function that sends the readings of an org that changed since its last call. */
function makeMetricUpdates(app: App) {
  const sentTimes = new WeakMap<OrgFeed, Map<string, number>>();
  return async (feed: OrgFeed): Promise<void> => {
    const rows = await listRecentReadings(app, feed.org_id);
    const sent = sentTimes.get(feed);
    const changed = rows.filter(({ target_id, at }) =>
      sent ? sent.get(target_id) !== at.getTime() : at > feed.openedAt,
    );
    sentTimes.set(feed, new Map(rows.map(({ target_id, at }) => [target_id, at.getTime()])));
    if (changed.length === 0) return;
    const canSeeContract = await makeContractFilter(
      app,
      changed.map(({ contract_id }) => contract_id),
    );
    for (const [index, { at, ...reading }] of changed.entries()) {
      // Frames of one turn wait together: more of them would look as if the clients were slow.
      if (index % readingsPerTurn === readingsPerTurn - 1) await nextTurn(feed.org_id);
      const data = { ...reading, at: at.toISOString() };
      feed.broadcast("metric", data, ({ viewer }) => canSeeContract(viewer, reading.contract_id));
    }
  };
}

/** Returns a function that sends the chains whose state changed since its last call. */
function makeChainUpdates(app: App) {
  let sentStates: Map<string, string> | undefined;
  return async (feeds: OrgFeed[]): Promise<void> => {
    const chains = await listEnabledChains(app);
    const previous = sentStates;
    sentStates = new Map(chains.map(({ chain, state }) => [chain, state]));
    for (const { chain, chain_id, state, head_block, lag_seconds } of chains) {
      if (!previous || previous.get(chain) === state) continue;
      const data = { chain, chain_id, state, head_block, lag_seconds };
      const isInScope = ({ viewer }: { viewer: Viewer }) => viewer.chain_scope?.includes(chain_id) ?? true;
      for (const feed of feeds) feed.broadcast("chain.status", data, isInScope, false);
    }
  };
}

/** Returns a function that sends each subscriber of an org its dashboard statistics if they changed. */
function makeStatsUpdates(app: App) {
  const sentStats = new WeakMap<OrgFeed, Map<string, string>>();
  return async (feed: OrgFeed): Promise<void> => {
    const reduceView = await makeViewReducer(app, feed.org_id);
    const views = Map.groupBy(feed.liveSubscribers, ({ viewer }) => JSON.stringify(reduceView(viewer)));
    const previous = sentStats.get(feed) ?? new Map<string, string>();
    // Ordered by the time of the last count, oldest first.
    const sent = new Map([...previous].filter(([view]) => views.has(view)));
    sentStats.set(feed, sent);
    const uncounted = [...views.keys()].filter((view) => !sent.has(view));
    for (const view of [...uncounted, ...sent.keys()].slice(0, maxViewsPerRound)) {
      const data = await dashboardStats(app, JSON.parse(view) as Viewer);
      const text = JSON.stringify(data);
      const isUnchanged = sent.get(view) === text;
      sent.delete(view);
      sent.set(view, text);
      if (isUnchanged) continue;
      const recipients = new Set(views.get(view));
      feed.broadcast("stats", data, (subscriber) => recipients.has(subscriber));
    }
  };
}
