import { needsFunction } from "../checks.ts";
import { type Condition, defineTemplate, stateWindowSeconds } from "../template.ts";

/** Source: Chainlink's heartbeats, plus 10 % for the inclusion of the update in a block. */
export const oracleStale = defineTemplate({
  id: "oracle_stale",
  category: "oracle",
  name: "Stale price feed",
  description:
    "Alerts if the feed is not updated within its heartbeat plus 10 %. Contracts then use an outdated price. For a heartbeat other than one hour, add an oracle_staleness target with heartbeat_seconds first.",
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
