import { durationText } from "../../lib/text.ts";
import { needsFunction } from "../checks.ts";
import { type Condition, defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

/** Source: Chainlink's heartbeats, plus two percent and a minute for the inclusion of the update in a block. */
export const oracleStale = defineTemplate({
  id: "oracle_stale",
  category: "oracle",
  name: "Stale price feed",
  description:
    "Alerts if the feed is not updated within its heartbeat. Contracts then use an outdated price. The heartbeat is learned from the rounds of the feed, or is that of an existing oracle_staleness target.",
  target_type: "oracle_staleness",
  target_config: { heartbeat_seconds: 3600 },
  condition: later(3600),
  conditionFor: ({ heartbeat_seconds }) => later(Number(heartbeat_seconds)),
  variantsFor({ profile }) {
    if (!profile?.feed) return undefined;
    const { heartbeat_seconds, rounds } = profile.feed;
    const source = `The last ${rounds} rounds of the feed show a heartbeat of ${durationText(heartbeat_seconds)}.`;
    return [{ config: { heartbeat_seconds }, condition: later(heartbeat_seconds), source }];
  },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("latestRoundData()"),
  isRecommended: whereverItApplies,
});

function later(heartbeatSeconds: number): Condition {
  const threshold = Math.round(heartbeatSeconds * 1.02) + 60;
  return { operator: "gt", threshold, aggregation: "last", window_seconds: stateWindowSeconds };
}
