import { isDeepStrictEqual } from "node:util";
import type { App } from "../../../app.ts";
import { AppError } from "../../../errors/app-error.ts";
import { meterOf } from "../../../meters/index.ts";
import type { TargetRow } from "../../../store/contracts/targets.ts";
import type { Fit } from "../../../templates/fit-template.ts";
import type { Template } from "../../../templates/template.ts";
import type { OrgCaller } from "../../caller.ts";
import { backtest } from "../backtest.ts";

/** Less of the past says little about a day. */
const minDataMs = 60 * 60_000;

/**
 * Returns how often per day a template would have fired on the stored past of its contract; undefined if its target does not
 * exist or was measured for less than an hour.
 */
export async function estimateNoise(
  app: App,
  caller: OrgCaller,
  { target_type, for_seconds }: Template,
  { config, condition, reason }: Fit,
  targets: readonly TargetRow[],
): Promise<number | undefined> {
  if (reason !== undefined || !config) return undefined;
  const target = targets.find((one) => one.target_type === target_type && isMeasured(one, config));
  if (!target) return undefined;
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
