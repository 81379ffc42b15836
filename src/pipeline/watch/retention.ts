import type { Chain } from "../../chains/chain.ts";

/** The minimum that a series keeps even if no rule needs it: enough to detect changes and draw a sparkline. */
const minRetentionSeconds = 600;
const minFoldAfterSeconds = 2 * 60 * 60;

/**
 * How long readings are kept beyond the longest window, and from which age they are folded into minutes. Series outlast a rollback
 * of at most the slack; folding only what is older keeps such a rollback from dropping a part of a minute.
 */
export function retentionOf({ finality_depth, block_time_ms }: Chain): {
  slackSeconds: number;
  foldAfterSeconds: number;
} {
  const slackSeconds = Math.max(minRetentionSeconds, (2 * finality_depth * block_time_ms) / 1000);
  return { slackSeconds, foldAfterSeconds: Math.max(minFoldAfterSeconds, slackSeconds) };
}
