import { needsFunction } from "../checks.ts";
import { type Condition, defineTemplate, stateWindowSeconds } from "../template.ts";

/** Source: Chainlink's heartbeats, with some slack for the block that brings the update. */
export const oracleStale = defineTemplate({
  id: "oracle_stale",
  category: "oracle",
  name: "Feed is late",
  description:
    "The feed has not been updated within its heartbeat and a tenth more. Feeds with a heartbeat other than an hour need an oracle_staleness target that says so first.",
  target_type: "oracle_staleness",
  target_config: { heartbeat_seconds: 3600 },
  condition: late(3600),
  conditionFor: ({ heartbeat_seconds }) => late(Number(heartbeat_seconds)),
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("latestRoundData()"),
});

function late(heartbeatSeconds: number): Condition {
  const threshold = Math.round(heartbeatSeconds * 1.1);
  return { operator: "gt", threshold, aggregation: "last", window_seconds: stateWindowSeconds };
}
