import type { Stripe } from "stripe";
import type { App } from "../../app.ts";
import * as store from "../../store/billing/billing.ts";
import { findOrg } from "../../store/orgs/orgs.ts";
import type { RequestContext } from "../caller.ts";
import { saveAccount, syncAccount } from "./billing-account.ts";
import { isMissing } from "./billing-client.ts";

/** Returns the billing account of an org, created on first use. Concurrent requests create one customer. */
export async function ensureAccount(app: App, stripe: Stripe, org_id: string): Promise<store.BillingAccount> {
  const known = await store.findAccount(app.db, org_id);
  if (known) return known;
  const id = await createCustomer(stripe, org_id, `tocsin-customer-${org_id}`);
  const account = await saveAccount(app, org_id, id);
  await describe(app, stripe, org_id, id);
  return account;
}

/** Returns the account with an existing customer; replaces one that was deleted at the processor. */
export async function ensureCustomer(
  app: App,
  stripe: Stripe,
  account: store.BillingAccount,
  context: RequestContext,
): Promise<store.BillingAccount> {
  const { org_id, customer_id: deleted_id } = account;
  if (await exists(stripe, deleted_id)) return account;
  // Ends the subscription of the deleted customer first: no event will report it once the customer is replaced.
  await syncAccount(app, stripe, account, context);
  // The idempotency key contains the deleted id, so that concurrent requests create one customer.
  const id = await createCustomer(stripe, org_id, `tocsin-customer-${org_id}-after-${deleted_id}`);
  const replaced = await store.replaceCustomer(
    app.db,
    { org_id, gone: deleted_id, customer_id: id },
    app.clock.now(),
  );
  await describe(app, stripe, org_id, replaced.customer_id);
  return replaced;
}

async function exists(stripe: Stripe, customer_id: string): Promise<boolean> {
  try {
    return !(await stripe.customers.retrieve(customer_id)).deleted;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Sends only constant fields: the same idempotency key with another request would be rejected. */
async function createCustomer(stripe: Stripe, org_id: string, idempotencyKey: string): Promise<string> {
  return (await stripe.customers.create({ metadata: { org_id } }, { idempotencyKey })).id;
}

async function describe(app: App, stripe: Stripe, org_id: string, customer_id: string): Promise<void> {
  const org = await findOrg(app.db, org_id);
  const email = org?.business.billing_email;
  await stripe.customers.update(customer_id, { name: org?.name ?? "", ...(email && { email }) });
}
