import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { listNoisyRules, type NoisyRuleRow } from "../../store/analytics/noisy-rules.ts";
import type { NoisyRule, NoisyRulesQuery } from "../../wire/analytics/noisy-rules.ts";
import { backtest } from "../alerts/backtest/backtest.ts";
import type { OrgCaller } from "../caller.ts";
import { viewerOf } from "../viewer-of.ts";
import { spanOf } from "./analytics-span.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the rules with the most events, each with a threshold that is quieter. */
export async function getNoisyRules(
  app: App,
  caller: OrgCaller,
  query: NoisyRulesQuery,
): Promise<NoisyRule[]> {
  const span = await spanOf(app, query);
  const days = Math.max(1 / 24, (span.to.getTime() - span.from.getTime()) / dayMs);
  const rows = await listNoisyRules(app.db, viewerOf(caller), span, query.limit);
  const noisyRules: NoisyRule[] = [];
  // One after the other: each back-test reads many samples.
  for (const { target_id, for_seconds, ...row } of rows) {
    const fires_per_day = row.events / days;
    const suggestion =
      fires_per_day <= 1
        ? { suggested_threshold: null, reason: isQuiet }
        : await suggestThreshold(app, caller, { target_id, for_seconds, ...row });
    noisyRules.push({ ...row, fires_per_day, ...suggestion });
  }
  return noisyRules;
}

const isQuiet = "The rule fires at most once a day.";
const noThreshold = "The rule has no threshold that could be raised; narrow its match or its target instead.";
const noData = "The stored past shows no threshold with which the rule would fire at most once a day.";

async function suggestThreshold(
  app: App,
  caller: OrgCaller,
  { target_id, condition, for_seconds }: NoisyRuleRow,
): Promise<Pick<NoisyRule, "suggested_threshold" | "reason">> {
  const isCount = condition.aggregation === "each" || condition.operator === "changed";
  if (isCount) return { suggested_threshold: null, reason: noThreshold };
  try {
    const { suggested_threshold } = await backtest(app, caller, { target_id, condition, for_seconds });
    return { suggested_threshold, reason: suggested_threshold === null ? noData : null };
  } catch (error) {
    // The past may be too large to evaluate, or the condition valid only for an earlier config of the target.
    if (error instanceof AppError) return { suggested_threshold: null, reason: error.message };
    throw error;
  }
}
