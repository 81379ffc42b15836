import { isDeepStrictEqual } from "node:util";
import type { App } from "../../../app.ts";
import type { Subject } from "../../../chains/activity.ts";
import { AppError } from "../../../errors/app-error.ts";
import type { Profile } from "../../../inspection/profile/profile.ts";
import { meterOf } from "../../../meters/index.ts";
import type { TargetRow } from "../../../store/contracts/targets.ts";
import type { Fit } from "../../../templates/fit-template.ts";
import type { ContractFacts, Template } from "../../../templates/template.ts";
import type { OrgCaller } from "../../caller.ts";
import { backtest } from "../backtest/backtest.ts";

/** Less of the past says little about a day. */
const minDataMs = 60 * 60_000;

/** What is known of a contract whose noise is estimated. */
export type NoiseSource = {
  address: string;
  facts: Omit<ContractFacts, "targets">;
  targets: readonly TargetRow[];
};

/**
 * Returns how often per day a template would have fired on the past of its contract: that of its target, or, if the target does
 * not exist or was measured for less than an hour, the events and transfers that an inspection found on the chain. Undefined if
 * neither is known.
 */
export async function estimateNoise(
  app: App,
  caller: OrgCaller,
  template: Template,
  fit: Fit,
  { address, facts, targets }: NoiseSource,
): Promise<number | undefined> {
  if (fit.reason !== undefined || !fit.config) return undefined;
  const measured = await noiseOnStoredPast(app, caller, template, fit, targets);
  return measured ?? noiseOnChain(template, fit, address, facts.profile);
}

/** The events of the chain are those that the meter would have read, one alert each. */
function noiseOnChain(
  { target_type }: Template,
  { key, config, condition }: Fit,
  address: string,
  profile: Profile | undefined,
): number | undefined {
  if (target_type === "token_balance")
    return profile?.assets.find(({ token }) => token === key)?.drains_per_day;
  const recent = profile?.recent;
  const meter = meterOf(target_type);
  if (!recent || condition.aggregation !== "each" || !meter?.events) return undefined;
  const parsed = meter.config.safeParse(config);
  if (!parsed.success) return undefined;
  const subject = { address } as Subject;
  const topics = meter
    .events(parsed.data, subject)
    .flatMap((filter) => (filter.address === address ? (filter.topics ?? []) : []));
  const events = [...new Set(topics)].reduce((sum, topic) => sum + (recent.events[topic] ?? 0), 0);
  return events / recent.days;
}

async function noiseOnStoredPast(
  app: App,
  caller: OrgCaller,
  { target_type, for_seconds }: Template,
  { config, condition }: Fit,
  targets: readonly TargetRow[],
): Promise<number | undefined> {
  if (!config) return undefined;
  const target = targets.find((one) => one.target_type === target_type && isMeasured(one, config));
  // The time of blocks may be ahead of the clock, so that the span of the data alone does not show how long it was measured.
  if (!target || app.clock.now().getTime() - target.created_at.getTime() < minDataMs) return undefined;
  try {
    const result = await backtest(app, caller, { target_id: target.id, condition, for_seconds });
    if (!result.data_from || !result.data_to) return undefined;
    const dataMs = Date.parse(result.data_to) - Date.parse(result.data_from);
    return dataMs < minDataMs ? undefined : result.fires_per_day;
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
