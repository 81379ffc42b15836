import { type App, inSeconds } from "../../app.ts";
import { dashboardStats } from "../../domain/analytics/dashboard-stats.ts";
import { makeContractFilter } from "../../domain/analytics/stream.ts";
import { listEnabledChains } from "../../domain/contracts/chains.ts";
import { listReadings, orgHasRestricted } from "../../store/analytics/stream.ts";
import { orgViewer, type Viewer } from "../../store/viewer.ts";
import type { Room } from "./room.ts";

/** Readings older than this are no news when somebody begins to listen. */
const recentSeconds = 3_600;
/** How many different views of an org are worth counting for at a time. */
const maxViews = 20;

/** What is sent as it is found and not kept: readings, chains and counts. */
export function makeLiveUpdates(app: App) {
  const readings = new WeakMap<Room, Map<string, number>>();
  const counts = new WeakMap<Room, Map<string, string>>();
  let states: Map<string, string> | undefined;

  return {
    /** The readings that changed since they were last sent. */
    async metrics(room: Room): Promise<void> {
      const rows = await listReadings(app.db, room.org_id, inSeconds(app, -recentSeconds));
      const known = readings.get(room);
      const fresh = rows.filter(({ target_id, at }) =>
        known ? known.get(target_id) !== at.getTime() : at > room.openedAt,
      );
      readings.set(room, new Map(rows.map(({ target_id, at }) => [target_id, at.getTime()])));
      if (fresh.length === 0) return;
      const sees = await makeContractFilter(
        app,
        fresh.map(({ contract_id }) => contract_id),
      );
      for (const { at, ...reading } of fresh) {
        const data = { ...reading, at: at.toISOString() };
        room.broadcast("metric", data, ({ viewer }) => sees(viewer, reading.contract_id));
      }
    },

    /** The chains whose state is another than before. */
    async chains(rooms: Room[]): Promise<void> {
      const now = await listEnabledChains(app);
      const before = states;
      states = new Map(now.map(({ chain, state }) => [chain, state]));
      for (const { chain, chain_id, state, head_block, lag_seconds } of now) {
        if (!before || before.get(chain) === state) continue;
        const data = { chain, chain_id, state, head_block, lag_seconds };
        const isFor = ({ viewer }: { viewer: Viewer }) => viewer.chain_scope?.includes(chain_id) ?? true;
        for (const room of rooms) room.broadcast("chain.status", data, isFor, false);
      }
    },

    /** The counts of the dashboard, where they changed, as each listener may see them. */
    async stats(room: Room): Promise<void> {
      const before = counts.get(room) ?? new Map<string, string>();
      const isOpen = !(await orgHasRestricted(app.db, room.org_id));
      const views = Map.groupBy(room.listeners, ({ viewer }) => JSON.stringify(viewOf(viewer, isOpen)));
      // Views take turns: those that were not counted yet, then those that were longest ago.
      const known = new Map([...before].filter(([view]) => views.has(view)));
      counts.set(room, known);
      const waiting = [...views.keys()].filter((view) => !known.has(view));
      for (const view of [...waiting, ...known.keys()].slice(0, maxViews)) {
        const listeners = views.get(view) ?? [];
        const data = await dashboardStats(app, JSON.parse(view) as Viewer);
        const text = JSON.stringify(data);
        const isSame = known.get(view) === text;
        known.delete(view);
        known.set(view, text);
        if (isSame) continue;
        const group = new Set(listeners);
        room.broadcast("stats", data, (listener) => group.has(listener));
      }
    },
  };
}

/** Where no contract is restricted everybody without a scope sees the same. */
function viewOf(viewer: Viewer, isOpen: boolean): Viewer {
  const isScoped = viewer.contract_scope !== null || viewer.chain_scope !== null;
  return isOpen && !isScoped ? orgViewer(viewer.org_id) : viewer;
}
