import { type App, inSeconds } from "../../app.ts";
import { listReadings, type MetricRow, orgHasRestricted } from "../../store/analytics/stream.ts";
import { isScopedKey, orgViewer, type Viewer } from "../../store/viewer.ts";

/** Older readings are not live updates. */
const recentSeconds = 3_600;

/** Returns the newest readings of the targets of an org within the last hour. */
export async function listRecentReadings(app: App, org_id: string): Promise<MetricRow[]> {
  return listReadings(app.db, org_id, inSeconds(app, -recentSeconds));
}

/**
 * Returns a function that maps viewers who see the same contracts of an org to one viewer, so that statistics are
 * counted once for them. Without restricted contracts, all viewers without a key scope see the same.
 */
export async function makeViewReducer(app: App, org_id: string): Promise<(viewer: Viewer) => Viewer> {
  const isOpen = !(await orgHasRestricted(app.db, org_id));
  return (viewer) => (isOpen && !isScopedKey(viewer) ? orgViewer(org_id) : viewer);
}
