import type { Tier } from "../wire/primitives.ts";

/** What a tier allows. Every number that depends on a tier stands here and nowhere else. */
export type TierLimits = {
  members: number;
  pollingSeconds: { min: number; default: number; max: number };
};

export const tierLimits: Record<Tier, TierLimits> = {
  free: { members: 1, pollingSeconds: { min: 60, default: 300, max: 3600 } },
  pro: { members: 3, pollingSeconds: { min: 30, default: 60, max: 3600 } },
  team: { members: 25, pollingSeconds: { min: 15, default: 30, max: 3600 } },
  enterprise: { members: Number.POSITIVE_INFINITY, pollingSeconds: { min: 5, default: 15, max: 3600 } },
};

const order: readonly Tier[] = ["free", "pro", "team", "enterprise"];

export function isAtLeast(tier: Tier, wanted: Tier): boolean {
  return order.indexOf(tier) >= order.indexOf(wanted);
}

/** The name of a tier for people. */
export function tierName(tier: Tier): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1);
}
