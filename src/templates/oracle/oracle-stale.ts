import { durationText } from "../../lib/text.ts";
import { needsFeed } from "../checks.ts";
import { type Condition, defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

/** Source: Chainlink's heartbeats. */
export const oracleStale = defineTemplate({
  id: "oracle_stale",
  category: "oracle",
  name: "Stale price feed",
  description:
    "Alerts if the feed is not updated within its heartbeat. Contracts then use an outdated price. The heartbeat is learned from the rounds of the feed, or is that of an existing oracle_staleness target.",
  target_type: "oracle_staleness",
  target_config: { heartbeat_seconds: 3600 },
  condition: later(3600),
  conditionFor({ heartbeat_seconds }, { profile }) {
    const feed = profile?.feed;
    const isLearned = feed?.heartbeat_seconds === heartbeat_seconds;
    return later(Number(heartbeat_seconds), isLearned ? feed?.late_seconds : undefined);
  },
  variantsFor({ profile }) {
    if (!profile?.feed) return undefined;
    const { heartbeat_seconds, rounds, late_seconds } = profile.feed;
    const source = `The last ${rounds} rounds of the feed show a heartbeat of ${durationText(heartbeat_seconds)}.`;
    return [{ config: { heartbeat_seconds }, condition: later(heartbeat_seconds, late_seconds), source }];
  },
  severity: "critical",
  for_seconds: 0,
  check: needsFeed,
  isRecommended: whereverItApplies,
});

/** Updates are included some blocks after the heartbeat. How late they were before says how late is usual. */
function later(heartbeatSeconds: number, lateSeconds?: number): Condition {
  const graceSeconds =
    lateSeconds === undefined ? heartbeatSeconds * 0.02 + 60 : Math.max(36, 2 * lateSeconds);
  const threshold = Math.round(heartbeatSeconds + graceSeconds);
  return { operator: "gt", threshold, aggregation: "last", window_seconds: stateWindowSeconds };
}
