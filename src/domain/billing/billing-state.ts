import { z } from "zod";
import type { Config, PaidTier } from "../../config.ts";
import type { StoredSubscription } from "../../store/billing/billing.ts";
import { isAtLeast } from "../../tiers.ts";
import { SubscriptionStatus } from "../../wire/billing/billing.ts";
import type { Tier } from "../../wire/primitives.ts";

/** What we read of a subscription. The end of the period was on the subscription itself in earlier versions of the API. */
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

/** While the processor still tries to collect, nothing is taken away. */
const granting = new Set<SubscriptionStatus>(["active", "trialing", "past_due"]);

/** Those that go on, paid or not: a second one beside them would be paid for twice. */
const lasting = new Set<string | null>([...granting, "unpaid", "paused"]);

export function isLasting(status: string | null): boolean {
  return lasting.has(status);
}

/** What a customer's subscriptions come to: the best tier that one of them gives, or where the newest stands. */
export function stateOf(config: Config, subscriptions: StripeSubscription[]): StoredSubscription | undefined {
  const states = subscriptions
    .toSorted((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1))
    .map((subscription) => readOne(config, subscription));
  return states.reduce<StoredSubscription | undefined>(
    (best, one) => (best && isAtLeast(best.tier, one.tier) ? best : one),
    undefined,
  );
}

function readOne(config: Config, subscription: StripeSubscription): StoredSubscription {
  const { id, status, cancel_at, cancel_at_period_end } = subscription;
  const isGranting = granting.has(status);
  const bought = isGranting ? boughtItem(config, subscription) : undefined;
  const end =
    (bought?.item ?? subscription.items.data[0])?.current_period_end ?? subscription.current_period_end;
  return {
    subscription_id: id,
    status,
    tier: bought?.tier ?? "free",
    current_period_end: end ? new Date(end * 1000) : null,
    // Ended from the portal, it has a date instead of the flag.
    cancel_at_period_end: cancel_at_period_end || (isGranting && Boolean(cancel_at)),
  };
}

/** The item whose price we know. To guess what an unknown price means would be to give or take what nobody agreed on. */
function boughtItem(config: Config, { id, items }: StripeSubscription) {
  const known = items.data
    .map((item) => ({ item, tier: tierOfPrice(config, item.price.id) }))
    .find(({ tier }) => tier !== undefined);
  if (known) return known;
  const prices = items.data.map(({ price }) => price.id).join(", ") || "none";
  throw new Error(`The subscription ${id} has a price that no STRIPE_PRICE_… names: ${prices}.`);
}

function tierOfPrice({ stripe }: Config, price_id: string): Tier | undefined {
  const tiers: PaidTier[] = ["enterprise", "team", "pro"];
  return tiers.find((tier) => stripe.prices[tier] === price_id);
}
