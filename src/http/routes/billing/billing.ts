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

/** What is paid is people's business. */
const reader = { who: "org", org: "active", role: "viewer", keys: false } as const;
const admin = { ...reader, role: "admin" } as const;

export const billingGroup: Group = {
  tag: "Billing",
  about: "Buying a tier. Where no payment processor is set up, an operator sets it.",
  operations: [
    operation({
      route: "POST /billing/checkout",
      id: "startCheckout",
      summary: "Buy a tier",
      description:
        "Answers with the page to pay on. The tier changes when the processor confirms the payment. Asking again while " +
        "that page is open answers with the same one; a subscription that exists is changed in the portal.",
      policy: admin,
      body: CheckoutCreate,
      reply: Checkout,
      errors: ["already_subscribed", "conflict", "billing_not_configured", "billing_unavailable"],
      handle: ({ app, caller, body }) => startCheckout(app, caller, body),
    }),

    operation({
      route: "POST /billing/portal",
      id: "openBillingPortal",
      summary: "Manage the subscription",
      description: "Answers with a page where the subscription is changed, paid or ended.",
      policy: admin,
      reply: Portal,
      errors: ["conflict", "billing_not_configured", "billing_unavailable"],
      handle: ({ app, caller }) => openPortal(app, caller),
    }),

    operation({
      route: "GET /billing/invoices",
      id: "listInvoices",
      summary: "List invoices",
      description: "The newest hundred, newest first.",
      policy: reader,
      reply: z.array(Invoice),
      errors: ["billing_not_configured", "billing_unavailable"],
      handle: ({ app, caller }) => listInvoices(app, caller),
    }),

    operation({
      route: "GET /billing/subscription",
      id: "getSubscription",
      summary: "See the subscription",
      description: "What the organisation pays for; null where it never bought anything.",
      policy: reader,
      reply: Subscription.nullable(),
      errors: ["billing_not_configured"],
      handle: ({ app, caller }) => getSubscription(app, caller),
    }),

    hookOperation({
      route: "POST /billing/webhook",
      id: "receiveBillingEvent",
      summary: "Take an event of the payment processor",
      description:
        "For Stripe, which signs the body in `Stripe-Signature`. An event may come twice and in any order. One that could " +
        "not be carried out is answered with 500, so that it is sent again.",
      hook: { takes: "application/json", answers: "application/json" },
      body: BillingEvent,
      reply: Ok,
      errors: ["bad_request", "invalid_signature", "billing_not_configured"],
      receive: ({ app, caller, raw: { bytes, headers } }) =>
        receiveBillingEvent(app, caller, { bytes, signature: headers["stripe-signature"] }),
    }),
  ],
};
