import { z } from "zod";
import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { findAccount } from "../../store/billing/billing.ts";
import { Invoice, type Portal, type Subscription, SubscriptionStatus } from "../../wire/billing/billing.ts";
import type { MemberCaller } from "../caller.ts";
import { baseUrl } from "../mail.ts";
import { inTransaction } from "../transaction.ts";
import { emptyIfMissing, isMissing, withStripe } from "./billing-client.ts";
import { ensureAccount } from "./billing-customer.ts";

/** Creates a portal session, in which an admin changes, pays or cancels the subscription. */
export async function openPortal(app: App, caller: MemberCaller): Promise<Portal> {
  return withStripe(app, async (stripe) => {
    const { org_id } = caller;
    const { customer_id } = await ensureAccount(app, stripe, org_id);
    const request = { customer: customer_id, return_url: baseUrl(app.config) };
    const session = await stripe.billingPortal.sessions.create(request).catch((error: unknown) => {
      throw isMissing(error) ? customerDeleted() : error;
    });
    const { url } = z.object({ url: z.string() }).parse(session);
    return inTransaction(app, caller, async (_tx, { audit }) => {
      audit({ org_id, action: "billing.portal_opened", subject: { type: "org", id: org_id } });
      return { url };
    });
  });
}

function customerDeleted(): AppError {
  const message =
    "The customer of the organisation was deleted at the payment processor, so there is no subscription to manage. " +
    "Start a new checkout (POST /billing/checkout).";
  return new AppError("conflict", message);
}

/** Returns the latest 100 invoices; none for an org that never paid, also where payments are not configured. */
export async function listInvoices(app: App, caller: MemberCaller): Promise<Invoice[]> {
  const account = await findAccount(app.db, caller.org_id);
  if (!account) return [];
  return withStripe(app, async (stripe) => {
    const list = stripe.invoices.list({ customer: account.customer_id, limit: 100 });
    const { data } = await emptyIfMissing(list);
    return z.array(StripeInvoice).parse(data).map(toInvoice);
  });
}

/** Returns the stored subscription of the org; null if it never had one. */
export async function getSubscription(app: App, caller: MemberCaller): Promise<Subscription | null> {
  const account = await findAccount(app.db, caller.org_id);
  if (!account?.status || !account.tier) return null;
  return {
    tier: account.tier,
    status: SubscriptionStatus.parse(account.status),
    current_period_end: account.current_period_end?.toISOString() ?? null,
    cancel_at_period_end: account.cancel_at_period_end ?? false,
  };
}

const StripeInvoice = z.object({
  id: z.string(),
  number: z.string().nullish(),
  // A status that we do not know is none.
  status: Invoice.shape.status.catch(null),
  amount_due: z.int(),
  amount_paid: z.int(),
  currency: z.string(),
  hosted_invoice_url: z.string().nullish(),
  invoice_pdf: z.string().nullish(),
  created: z.number(),
});

function toInvoice(invoice: z.infer<typeof StripeInvoice>): Invoice {
  const { id, number, status, amount_due, amount_paid, currency, hosted_invoice_url, invoice_pdf } = invoice;
  return {
    ...{ id, amount_due, amount_paid, currency },
    number: number ?? null,
    status,
    hosted_invoice_url: hosted_invoice_url ?? null,
    pdf_url: invoice_pdf ?? null,
    created_at: new Date(invoice.created * 1000).toISOString(),
  };
}
