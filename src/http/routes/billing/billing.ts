import { z } from "zod";
import { getSubscription, listInvoices, openPortal } from "../../../domain/billing/billing.ts";
import { startCheckout } from "../../../domain/billing/billing-checkout.ts";
import { receiveBillingEvent } from "../../../domain/billing/billing-webhook.ts";
import {
  BillingEvent,
  Checkout,
  CheckoutCreate,
  Invoice,
  Portal,
  Subscription,
} from "../../../wire/billing/billing.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, hookOperation, operation } from "../../operation.ts";

/** API keys have no access to billing. */
const reader = { who: "org", org: "active", role: "viewer", keys: false } as const;
const admin = { ...reader, role: "admin" } as const;

export const billingGroup: Group = {
  tag: "Billing",
  about: "Subscriptions. Without a payment processor, an operator sets the tier.",
  operations: [
    operation({
      route: "POST /billing/checkout",
      id: "startCheckout",
      summary: "Start a checkout",
      description:
        "Returns the URL of the payment page. While a checkout is open, its URL is returned again. The tier changes when the processor " +
        "confirms the payment. Existing subscriptions are changed in the portal. Admins only.",
      policy: admin,
      body: CheckoutCreate,
      reply: Checkout,
      errors: ["already_subscribed", "conflict", "billing_not_configured", "billing_unavailable"],
      handle: ({ app, caller, body }) => startCheckout(app, caller, body),
    }),

    operation({
      route: "POST /billing/portal",
      id: "openBillingPortal",
      summary: "Open the billing portal",
      description:
        "Returns the URL of a page on which the subscription can be changed, paid or cancelled. Admins only.",
      policy: admin,
      reply: Portal,
      errors: ["conflict", "billing_not_configured", "billing_unavailable"],
      handle: ({ app, caller }) => openPortal(app, caller),
    }),

    operation({
      route: "GET /billing/invoices",
      id: "listInvoices",
      summary: "List invoices",
      description:
        "Returns the latest 100 invoices, newest first; none if the organisation never had a subscription.",
      policy: reader,
      reply: z.array(Invoice),
      errors: ["billing_not_configured", "billing_unavailable"],
      handle: ({ app, caller }) => listInvoices(app, caller),
    }),

    operation({
      route: "GET /billing/subscription",
      id: "getSubscription",
      summary: "Get the subscription",
      description: "Returns the subscription of the organisation; null if it never had one.",
      policy: reader,
      reply: Subscription.nullable(),
      handle: ({ app, caller }) => getSubscription(app, caller),
    }),

    hookOperation({
      route: "POST /billing/webhook",
      id: "receiveBillingEvent",
      summary: "Receive a billing event",
      description:
        "Receives events of Stripe, signed in `Stripe-Signature`. Events may arrive repeatedly and in any order. If processing " +
        "fails, the response is 500 and Stripe retries.",
      hook: { takes: "application/json", answers: "application/json" },
      body: BillingEvent,
      reply: Ok,
      errors: ["bad_request", "invalid_signature", "internal"],
      receive: ({ app, caller, raw: { bytes, headers } }) =>
        receiveBillingEvent(app, caller, { bytes, signature: headers["stripe-signature"] }),
    }),
  ],
};
