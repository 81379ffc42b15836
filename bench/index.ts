import { benchActivity } from "./activity.ts";
import { benchApi } from "./api.ts";
import { benchDashboard } from "./dashboard/dashboard.ts";
import { benchDelivery } from "./delivery/delivery.ts";
import { benchDetectionQuality } from "./detection-quality/detection-quality.ts";
import { benchCatchUp, benchDetection } from "./engine.ts";
import { benchGroups } from "./groups.ts";
import { benchHelius } from "./helius.ts";
import { benchHistory } from "./history.ts";
import { benchImports } from "./imports.ts";
import { benchIsolation } from "./isolation/isolation.ts";
import { benchKeys } from "./keys.ts";
import { benchRpcCost } from "./rpc-cost/rpc-cost.ts";
import { benchStreams } from "./streams/streams.ts";
import { benchTemplates } from "./templates/templates.ts";

/** Every benchmark by name. Each prints its results and cleans up. */
const benches: Record<string, () => Promise<void>> = {
  activity: benchActivity,
  api: benchApi,
  "catch-up": benchCatchUp,
  dashboard: benchDashboard,
  detection: benchDetection,
  "detection-quality": benchDetectionQuality,
  delivery: benchDelivery,
  groups: benchGroups,
  helius: benchHelius,
  history: benchHistory,
  imports: benchImports,
  isolation: benchIsolation,
  keys: benchKeys,
  "rpc-cost": benchRpcCost,
  streams: benchStreams,
  templates: benchTemplates,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(
    `There is no bench called ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}.`,
  );
  process.exit(2);
}
for (const [name, bench] of Object.entries(benches)) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.log(`# ${name}`);
  await bench();
}
