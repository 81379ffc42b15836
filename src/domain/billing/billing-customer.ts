import type { Stripe } from "stripe";
import type { App } from "../../app.ts";
import * as store from "../../store/billing/billing.ts";
import { findOrg } from "../../store/orgs/orgs.ts";
import type { RequestContext } from "../caller.ts";
import { keepAccount, syncAccount } from "./billing-account.ts";
import { isMissing } from "./billing-client.ts";

/** The org's customer at the processor, made when first needed. Requests that come together make one. */
export async function ensureAccount(app: App, stripe: Stripe, org_id: string): Promise<store.BillingAccount> {
  const known = await store.findAccount(app.db, org_id);
  if (known) return known;
  const id = await makeCustomer(stripe, org_id, `tocsin-customer-${org_id}`);
  const account = await keepAccount(app, org_id, id);
  await describe(app, stripe, org_id, id);
  return account;
}

/** The account with a customer that is there: one that was deleted at the processor can buy nothing, and another is made. */
export async function ensureCustomer(
  app: App,
  stripe: Stripe,
  account: store.BillingAccount,
  context: RequestContext,
): Promise<store.BillingAccount> {
  const { org_id, customer_id: gone } = account;
  if (await isThere(stripe, gone)) return account;
  // First what went with the customer: nobody tells of it once the account has another.
  await syncAccount(app, stripe, account, context);
  // Named after the one that is gone, so that requests that come together make one here too.
  const id = await makeCustomer(stripe, org_id, `tocsin-customer-${org_id}-after-${gone}`);
  const replaced = await store.replaceCustomer(app.db, { org_id, gone, customer_id: id }, app.clock.now());
  await describe(app, stripe, org_id, replaced.customer_id);
  return replaced;
}

async function isThere(stripe: Stripe, customer_id: string): Promise<boolean> {
  try {
    return !(await stripe.customers.retrieve(customer_id)).deleted;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Nothing that can change goes along: the same key with another request would be refused. */
async function makeCustomer(stripe: Stripe, org_id: string, idempotencyKey: string): Promise<string> {
  return (await stripe.customers.create({ metadata: { org_id } }, { idempotencyKey })).id;
}

async function describe(app: App, stripe: Stripe, org_id: string, customer_id: string): Promise<void> {
  const org = await findOrg(app.db, org_id);
  const email = org?.business.billing_email;
  await stripe.customers.update(customer_id, { name: org?.name ?? "", ...(email && { email }) });
}
