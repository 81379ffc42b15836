import { z } from "zod";
import { Tier, Timestamp } from "../primitives.ts";

export const CheckoutCreate = z
  .strictObject({ tier: z.enum(["pro", "team", "enterprise"]).meta({ examples: ["team"] }) })
  .meta({ id: "CheckoutCreate" });
export type CheckoutCreate = z.infer<typeof CheckoutCreate>;

export const Checkout = z
  .strictObject({
    url: z.string().meta({
      description: "URL of the payment page.",
      examples: ["https://checkout.stripe.com/c/pay/cs_test_a1"],
    }),
    session_id: z.string().meta({ examples: ["cs_test_a1"] }),
  })
  .meta({ id: "Checkout", description: "A checkout session at the payment processor." });
export type Checkout = z.infer<typeof Checkout>;

export const Portal = z
  .strictObject({ url: z.string().meta({ examples: ["https://billing.stripe.com/p/session/test_a1"] }) })
  .meta({ id: "Portal", description: "The page on which the subscription is managed." });
export type Portal = z.infer<typeof Portal>;

const amount = z
  .int()
  .meta({ description: "Amount in the smallest unit of the currency.", examples: [9900] });
const link = (example: string) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] });

export const Invoice = z
  .strictObject({
    id: z.string().meta({ examples: ["in_1Q2w3E4r"] }),
    number: z
      .string()
      .nullable()
      .meta({ examples: ["A1B2C3-0001"] }),
    status: z
      .enum(["draft", "open", "paid", "uncollectible", "void"])
      .nullable()
      .meta({ examples: ["paid"] }),
    amount_due: amount,
    amount_paid: amount,
    currency: z.string().meta({ examples: ["eur"] }),
    hosted_invoice_url: link("https://invoice.stripe.com/i/acct_1/test_a1"),
    pdf_url: link("https://pay.stripe.com/invoice/acct_1/test_a1/pdf"),
    created_at: Timestamp,
  })
  .meta({ id: "Invoice", description: "An invoice." });
export type Invoice = z.infer<typeof Invoice>;

export const SubscriptionStatus = z.enum([
  "incomplete",
  "incomplete_expired",
  "trialing",
  "active",
  "past_due",
  "canceled",
  "unpaid",
  "paused",
]);
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

export const Subscription = z
  .strictObject({
    tier: Tier.describe("Tier that the subscription currently grants."),
    status: SubscriptionStatus.meta({ examples: ["active"] }),
    current_period_end: Timestamp.nullable().describe("End of the paid period."),
    cancel_at_period_end: z.boolean().meta({
      description: "True if the subscription ends with the period instead of renewing.",
      examples: [false],
    }),
  })
  .meta({ id: "Subscription", description: "The subscription of the organisation." });
export type Subscription = z.infer<typeof Subscription>;

export const BillingEvent = z
  .looseObject({
    id: z
      .string()
      .min(1)
      .max(255)
      .meta({ examples: ["evt_1Q2w3E4r"] }),
    type: z
      .string()
      .max(255)
      .meta({ examples: ["customer.subscription.updated"] }),
    livemode: z
      .boolean()
      .optional()
      .meta({ examples: [false] }),
    data: z.looseObject({
      object: z
        .looseObject({})
        .meta({ examples: [{ id: "sub_1Q2w3E4r", object: "subscription", customer: "cus_1Q2w3E4r" }] }),
    }),
  })
  .meta({ id: "BillingEvent", description: "An event from the payment processor." });
export type BillingEvent = z.infer<typeof BillingEvent>;
