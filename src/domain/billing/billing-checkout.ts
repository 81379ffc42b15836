import type { Stripe } from "stripe";
import { z } from "zod";
import type { App } from "../../app.ts";
import type { PaidTier } from "../../config.ts";
import { AppError } from "../../errors/app-error.ts";
import { type BillingAccount, setCheckoutSession } from "../../store/billing/billing.ts";
import { tierName } from "../../tiers.ts";
import type { Checkout, CheckoutCreate } from "../../wire/billing/billing.ts";
import type { MemberCaller } from "../caller.ts";
import { baseUrl } from "../mail.ts";
import { inTransaction } from "../transaction.ts";
import { syncAccount } from "./billing-account.ts";
import { requireBilling, withStripe } from "./billing-client.ts";
import { ensureAccount, ensureCustomer } from "./billing-customer.ts";
import { isOngoing } from "./billing-state.ts";

/** Starts a checkout for a tier, or returns the open one, so that an org cannot pay twice. */
export async function startCheckout(
  app: App,
  caller: MemberCaller,
  { tier }: CheckoutCreate,
): Promise<Checkout> {
  requireBilling(app);
  const price = requirePrice(app, tier);
  return withStripe(app, async (stripe) => {
    const { org_id } = caller;
    const existing = await ensureAccount(app, stripe, org_id);
    const customer = await ensureCustomer(app, stripe, existing, caller.context);
    const account = await syncAccount(app, stripe, customer, caller.context);
    rejectSecondSubscription(account);
    const open = await findOpenCheckout(stripe, account);
    if (open?.tier === tier) return { url: open.url, session_id: open.id };
    if (open) await stripe.checkout.sessions.expire(open.id);
    const session = await stripe.checkout.sessions.create(checkoutOf(app, account, tier, price), {
      idempotencyKey: `tocsin-checkout-${account.customer_id}-${account.checkout_session_id ?? "first"}`,
    });
    const { id, url } = z.object({ id: z.string(), url: z.string() }).parse(session);
    return inTransaction(app, caller, async (tx, { audit }) => {
      await setCheckoutSession(tx, org_id, id);
      const subject = { type: "checkout", id };
      audit({ org_id, action: "billing.checkout_started", subject, details: { tier } });
      return { url, session_id: id };
    });
  });
}

function requirePrice({ config }: App, tier: PaidTier): string {
  const price = config.stripe.prices[tier];
  if (price) return price;
  const message = `The ${tierName(tier)} tier is not for sale: STRIPE_PRICE_${tier.toUpperCase()} is not set.`;
  throw new AppError("billing_not_configured", message);
}

function rejectSecondSubscription({ status }: BillingAccount): void {
  if (!isOngoing(status)) return;
  const message =
    "The organisation already has a subscription. Manage it in the portal (POST /billing/portal).";
  throw new AppError("already_subscribed", message);
}

const OpenSession = z.object({
  id: z.string(),
  status: z.literal("open"),
  url: z.string(),
  metadata: z.object({ tier: z.string() }).transform(({ tier }) => tier),
});

async function findOpenCheckout(stripe: Stripe, { checkout_session_id }: BillingAccount) {
  if (!checkout_session_id) return undefined;
  const session = await stripe.checkout.sessions.retrieve(checkout_session_id);
  const { data } = OpenSession.safeParse(session);
  return data && { id: data.id, url: data.url, tier: data.metadata };
}

function checkoutOf(app: App, { org_id, customer_id }: BillingAccount, tier: PaidTier, price: string) {
  const home = baseUrl(app.config);
  return {
    mode: "subscription",
    customer: customer_id,
    client_reference_id: org_id,
    line_items: [{ price, quantity: 1 }],
    success_url: `${home}/?checkout=done&session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${home}/?checkout=cancelled`,
    metadata: { org_id, tier },
    // Events of the subscription carry the metadata of the subscription, not of the session.
    subscription_data: { metadata: { org_id } },
  } as const satisfies Stripe.Checkout.SessionCreateParams;
}
