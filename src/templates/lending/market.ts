import type { Profile } from "../../inspection/profile/profile.ts";
import { needsFunction } from "../checks.ts";
import { type Check, type Condition, stateWindowSeconds } from "../template.ts";

/** Requires a lending market whose utilisation can be read. */
export const needsMarket: Check = (facts, target) =>
  target || facts.profile?.market ? undefined : needsFunction("getUtilization()")(facts, target);

export function utilizationConfig(market: NonNullable<Profile["market"]>): Record<string, unknown> {
  if (market.kind === "own") {
    const { borrow_function, supply_function } = market;
    return { borrow_function, supply_function };
  }
  if (market.kind !== "aave_v3") return { preset: market.kind };
  const { data_provider, assets } = market;
  return { preset: market.kind, data_provider, assets };
}

export function above(threshold: number): Condition {
  return { operator: "gt", threshold, aggregation: "last", window_seconds: stateWindowSeconds };
}
