import type { Tier } from "./wire/primitives.ts";

/** The limits of a tier. Every limit that depends on a tier is defined here. */
export type TierLimits = {
  contracts: number;
  targetsPerContract: number;
  rules: number;
  channels: number;
  members: number;
  discoveriesPerDay: number;
  activeKeys: number;
  /** Requests per minute and key; the value of Free applies to keys of a downgraded org. */
  keyRequests: number;
  /** Open event streams of the org in one process. */
  streams: number;
  /** Messages to channels per hour; e-mail and text messages are a tenth of it. */
  messagesPerHour: number;
  /** Retention of samples and alerts. */
  historyDays: number;
  /** The longest span of a back-test. */
  backtestDays: number;
  pollingSeconds: { min: number; default: number; max: number };
};

const unlimited = Number.POSITIVE_INFINITY;

export const tierLimits: Record<Tier, TierLimits> = {
  free: {
    contracts: 5,
    targetsPerContract: 5,
    rules: 10,
    channels: 2,
    members: 1,
    discoveriesPerDay: 2,
    activeKeys: 0,
    keyRequests: 30,
    streams: 10,
    messagesPerHour: 200,
    historyDays: 7,
    backtestDays: 1,
    pollingSeconds: { min: 60, default: 300, max: 3600 },
  },
  pro: {
    contracts: 50,
    targetsPerContract: 20,
    rules: 200,
    channels: 10,
    members: 3,
    discoveriesPerDay: 20,
    activeKeys: 5,
    keyRequests: 300,
    streams: 60,
    messagesPerHour: 1_000,
    historyDays: 30,
    backtestDays: 7,
    pollingSeconds: { min: 30, default: 60, max: 3600 },
  },
  team: {
    contracts: 250,
    targetsPerContract: 50,
    rules: 1_000,
    channels: 50,
    members: 25,
    discoveriesPerDay: 100,
    activeKeys: 20,
    keyRequests: 1_200,
    streams: 500,
    messagesPerHour: 5_000,
    historyDays: 90,
    backtestDays: 30,
    pollingSeconds: { min: 15, default: 30, max: 3600 },
  },
  enterprise: {
    contracts: unlimited,
    targetsPerContract: 200,
    rules: unlimited,
    channels: unlimited,
    members: unlimited,
    discoveriesPerDay: unlimited,
    activeKeys: unlimited,
    keyRequests: 6_000,
    streams: 10_000,
    messagesPerHour: 20_000,
    historyDays: 365,
    backtestDays: 90,
    pollingSeconds: { min: 5, default: 15, max: 3600 },
  },
};

const order: readonly Tier[] = ["free", "pro", "team", "enterprise"];

export function isAtLeast(tier: Tier, wanted: Tier): boolean {
  return order.indexOf(tier) >= order.indexOf(wanted);
}

/** The display name of a tier. */
export function tierName(tier: Tier): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1);
}
