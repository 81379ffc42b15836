import { z } from "zod";
import type { Config, PaidTier } from "../../config.ts";
import type { StoredSubscription } from "../../store/billing/billing.ts";
import { isAtLeast } from "../../tiers.ts";
import { SubscriptionStatus } from "../../wire/billing/billing.ts";
import type { Tier } from "../../wire/primitives.ts";

/** The fields that we read. Earlier API versions have the end of the period on the subscription instead of its items. */
export const StripeSubscription = z.object({
  id: z.string(),
  status: SubscriptionStatus,
  created: z.number(),
  cancel_at: z.number().nullish(),
  cancel_at_period_end: z.boolean(),
  current_period_end: z.number().nullish(),
  items: z.object({
    data: z.array(
      z.object({ current_period_end: z.number().nullish(), price: z.object({ id: z.string() }) }),
    ),
  }),
});
export type StripeSubscription = z.infer<typeof StripeSubscription>;

/** Statuses that grant the tier, including those in which the processor still retries the payment. */
const grantingStatuses = new Set<SubscriptionStatus>(["active", "trialing", "past_due"]);

/** Statuses of subscriptions that continue, paid or not: a second one would be charged twice. */
const ongoingStatuses = new Set<string | null>([...grantingStatuses, "unpaid", "paused"]);

export function isOngoing(status: string | null): boolean {
  return ongoingStatuses.has(status);
}

/** Reduces the subscriptions of a customer to one: the one with the best tier, or else the newest. */
export function stateOf(config: Config, subscriptions: StripeSubscription[]): StoredSubscription | undefined {
  const states = subscriptions
    .toSorted((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1))
    .map((subscription) => readOne(config, subscription));
  return states.reduce<StoredSubscription | undefined>(
    (best, state) => (best && isAtLeast(best.tier, state.tier) ? best : state),
    undefined,
  );
}

function readOne(config: Config, subscription: StripeSubscription): StoredSubscription {
  const { id, status, cancel_at, cancel_at_period_end } = subscription;
  const isGranting = grantingStatuses.has(status);
  const bought = isGranting ? boughtItem(config, subscription) : undefined;
  const end =
    (bought?.item ?? subscription.items.data[0])?.current_period_end ?? subscription.current_period_end;
  return {
    subscription_id: id,
    status,
    tier: bought?.tier ?? "free",
    current_period_end: end ? new Date(end * 1000) : null,
    // A subscription cancelled in the portal has a date instead of the flag.
    cancel_at_period_end: cancel_at_period_end || (isGranting && Boolean(cancel_at)),
  };
}

/** Returns the item with a configured price. An unknown price is an error, because its tier cannot be guessed. */
function boughtItem(config: Config, { id, items }: StripeSubscription) {
  const tiers = items.data
    .map((item) => ({ item, tier: tierOfPrice(config, item.price.id) }))
    .find(({ tier }) => tier !== undefined);
  if (tiers) return tiers;
  const prices = items.data.map(({ price }) => price.id).join(", ") || "none";
  throw new Error(`The subscription ${id} has no price that is configured in STRIPE_PRICE_…: ${prices}.`);
}

function tierOfPrice({ stripe }: Config, price_id: string): Tier | undefined {
  const tiers: PaidTier[] = ["enterprise", "team", "pro"];
  return tiers.find((tier) => stripe.prices[tier] === price_id);
}
