import type { Tier } from "./wire/primitives.ts";

/** What a tier allows. Every number that depends on a tier stands here and nowhere else. */
export type TierLimits = {
  contracts: number;
  targetsPerContract: number;
  rules: number;
  members: number;
  /** How long samples and alerts are kept. */
  historyDays: number;
  /** How far back a rule can be tried out. */
  backtestDays: number;
  pollingSeconds: { min: number; default: number; max: number };
};

const unlimited = Number.POSITIVE_INFINITY;

export const tierLimits: Record<Tier, TierLimits> = {
  free: {
    contracts: 5,
    targetsPerContract: 5,
    rules: 10,
    members: 1,
    historyDays: 7,
    backtestDays: 1,
    pollingSeconds: { min: 60, default: 300, max: 3600 },
  },
  pro: {
    contracts: 50,
    targetsPerContract: 20,
    rules: 200,
    members: 3,
    historyDays: 30,
    backtestDays: 7,
    pollingSeconds: { min: 30, default: 60, max: 3600 },
  },
  team: {
    contracts: 250,
    targetsPerContract: 50,
    rules: 1_000,
    members: 25,
    historyDays: 90,
    backtestDays: 30,
    pollingSeconds: { min: 15, default: 30, max: 3600 },
  },
  enterprise: {
    contracts: unlimited,
    targetsPerContract: 200,
    rules: unlimited,
    members: unlimited,
    historyDays: 365,
    backtestDays: 90,
    pollingSeconds: { min: 5, default: 15, max: 3600 },
  },
};

const order: readonly Tier[] = ["free", "pro", "team", "enterprise"];

export function isAtLeast(tier: Tier, wanted: Tier): boolean {
  return order.indexOf(tier) >= order.indexOf(wanted);
}

/** The name of a tier for people. */
export function tierName(tier: Tier): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1);
}
