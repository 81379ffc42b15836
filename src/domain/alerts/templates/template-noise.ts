import { isDeepStrictEqual } from "node:util";
import type { App } from "../../../app.ts";
import { AppError } from "../../../errors/app-error.ts";
import type { Profile } from "../../../inspection/profile/profile.ts";
import { meterOf } from "../../../meters/index.ts";
import type { TargetRow } from "../../../store/contracts/targets.ts";
import { findWatched } from "../../../store/engine/watch.ts";
import type { Condition, ContractFacts } from "../../../templates/template.ts";
import type { NoiseEstimate } from "../../../wire/alerts/noise-estimate.ts";
import type { OrgCaller } from "../../caller.ts";
import { backtest } from "../backtest/backtest.ts";
import { minPastSeconds, toEstimate, unknownNoise } from "./noise-estimate.ts";
import { estimateOnChain, type PlannedRule } from "./noise-on-chain.ts";
import { refOf } from "./select-templates.ts";

/** What is known of a contract whose noise is estimated. */
export type NoiseSource = {
  contract_id: string;
  facts: Omit<ContractFacts, "targets">;
  targets: readonly TargetRow[];
};

/**
 * Estimates how often per day rules would have fired on the past of their contract, by external reference: on the stored readings
 * of the target, or, if it does not exist or was measured for less than an hour, on the events and transfers of the chain.
 */
export async function estimateNoise(
  app: App,
  caller: OrgCaller,
  planned: readonly PlannedRule[],
  source: NoiseSource,
): Promise<Map<string, NoiseEstimate>> {
  const estimates = new Map<string, NoiseEstimate>();
  const unmeasured: PlannedRule[] = [];
  for (const plannedRule of planned) {
    if (plannedRule.fit.reason !== undefined || !plannedRule.fit.config) continue;
    const measured =
      (await noiseOnReadings(app, caller, plannedRule, source.targets)) ??
      noiseOfTransfers(plannedRule, source.facts.profile);
    if (measured) estimates.set(refOf(plannedRule.template, plannedRule.fit), measured);
    else unmeasured.push(plannedRule);
  }
  const contract = unmeasured.length > 0 && (await findWatched(app.db, caller.org_id, source.contract_id));
  const onChain = contract ? await estimateOnChain(app, contract, unmeasured) : [];
  for (const [index, { template, fit }] of unmeasured.entries())
    estimates.set(refOf(template, fit), onChain[index] ?? unknownNoise(notOnChain(fit.condition)));
  return estimates;
}

/** Returns the estimate of a rule on stored readings; undefined if there are too few. */
async function noiseOnReadings(
  app: App,
  caller: OrgCaller,
  { template: { target_type, for_seconds }, fit: { config, condition } }: PlannedRule,
  targets: readonly TargetRow[],
): Promise<NoiseEstimate | undefined> {
  if (!config) return undefined;
  const target = targets.find(
    (targetRow) => targetRow.target_type === target_type && isMeasured(targetRow, config),
  );
  // The time of blocks may be ahead of the clock, so that the span of the data alone does not show how long it was measured.
  if (!target || app.clock.now().getTime() - target.created_at.getTime() < minPastSeconds * 1000)
    return undefined;
  try {
    const result = await backtest(app, caller, { target_id: target.id, condition, for_seconds });
    if (!result.data_from || !result.data_to) return undefined;
    const [from, to] = [Date.parse(result.data_from) / 1000, Date.parse(result.data_to) / 1000];
    return to - from < minPastSeconds
      ? undefined
      : toEstimate(result.episodes.length, { source: "readings", from, to });
  } catch (error) {
    // A past that is too large to evaluate, or a rule that the target cannot have, is explained when the rule is created.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function isMeasured({ target_type, config }: TargetRow, wanted: Record<string, unknown>): boolean {
  const meter = meterOf(target_type);
  if (meter?.instances === "one") return true;
  const parsed = meter?.config.safeParse(wanted);
  return parsed?.success === true && isDeepStrictEqual(config, parsed.data);
}

/** An inspection counts the falls of a balance in the recent transfers of the token. */
function noiseOfTransfers(
  { template: { target_type }, fit: { key } }: PlannedRule,
  profile: Profile | undefined,
): NoiseEstimate | undefined {
  const asset = profile?.assets.find(({ token }) => token === key);
  if (target_type !== "token_balance" || asset?.drains === undefined) return undefined;
  const { count, from, to, blocks } = asset.drains;
  return toEstimate(count, { source: "chain", from, to, blocks });
}

const comparisonsWithPast: ReadonlySet<string> = new Set(
  "changed change_pct_gt change_pct_lt anomaly".split(" "),
);

function notOnChain({ operator }: Condition): string {
  const quiet = comparisonsWithPast.has(operator)
    ? " The rule compares with earlier readings and stays quiet until there are some."
    : "";
  return `The events of the contract do not show what the rule measures, and it has less than an hour of stored readings.${quiet}`;
}
