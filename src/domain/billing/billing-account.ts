import type { Stripe } from "stripe";
import { z } from "zod";
import type { App } from "../../app.ts";
import * as store from "../../store/billing/billing.ts";
import { lockOrg, updateOrg } from "../../store/orgs/orgs.ts";
import { type RequestContext, systemCaller } from "../caller.ts";
import { applyTierChange } from "../orgs/org-tier.ts";
import { inTransaction } from "../transaction.ts";
import { emptyIfMissing } from "./billing-client.ts";
import { StripeSubscription, stateOf } from "./billing-state.ts";

/** Stores the customer of an org; an existing one is kept. */
export async function saveAccount(app: App, org_id: string, customer_id: string) {
  const now = app.clock.now();
  const account = await store.insertAccount(app.db, {
    org_id,
    customer_id,
    created_at: now,
    updated_at: now,
  });
  if (!account) throw new Error(`The customer ${customer_id} belongs to another org than ${org_id}.`);
  return account;
}

/** Each failed attempt means that a concurrent one succeeded, so only a flood of requests reaches this. */
const maxAttempts = 20;

/**
 * Updates an org to the current state of its subscriptions. Events only trigger this: they arrive repeatedly and in any
 * order, so the state is always fetched from the processor. If the account was written since the fetch, it is fetched again, so
 * that older state cannot overwrite newer.
 */
export async function syncAccount(
  app: App,
  stripe: Stripe,
  account: store.BillingAccount,
  context: RequestContext,
  event?: { id: string; type: string },
): Promise<store.BillingAccount> {
  let current: store.BillingAccount | undefined = account;
  for (let left = maxAttempts; current && left > 0; left--) {
    const subscriptions = await fetchSubscriptions(stripe, current.customer_id);
    const state = stateOf(app.config, subscriptions) ?? ended(current);
    const synced = await apply(app, current, state, context, event);
    if (synced) return synced;
    current = await store.findAccount(app.db, account.org_id);
  }
  throw new Error(
    `The billing account of org ${account.org_id} could not be synchronised: it was changed concurrently too often.`,
  );
}

/** Returns the subscriptions of a customer; empty if the customer was deleted. */
async function fetchSubscriptions(stripe: Stripe, customer: string): Promise<StripeSubscription[]> {
  const list = stripe.subscriptions.list({ customer, status: "all", limit: 100 });
  const { data } = await emptyIfMissing(list);
  return z.array(StripeSubscription).parse(data);
}

/** The state after the customer was deleted: its subscription is cancelled. */
function ended({
  subscription_id,
  current_period_end,
}: store.BillingAccount): store.StoredSubscription | undefined {
  if (subscription_id === null) return undefined;
  const over = { status: "canceled", tier: "free", cancel_at_period_end: false } as const;
  return { subscription_id, current_period_end, ...over };
}

/** Writes state, event and tier in one transaction; returns undefined if the account was written since it was read. */
async function apply(
  app: App,
  { org_id, revision }: store.BillingAccount,
  state: store.StoredSubscription | undefined,
  { request_id, ip }: RequestContext,
  event: { id: string; type: string } | undefined,
): Promise<store.BillingAccount | undefined> {
  const caller = { ...systemCaller, context: { request_id, ip } };
  return inTransaction(app, caller, async (tx, effects) => {
    const before = await store.lockAccount(tx, org_id);
    if (before.revision !== revision) return undefined;
    const now = app.clock.now();
    if (event && !(await store.insertEvent(tx, { ...event, received_at: now }))) return before;
    await store.updateAccount(tx, org_id, state, now);
    if (!state) return before;
    if (before.status !== state.status || before.tier !== state.tier) {
      const details = { status: state.status, tier: state.tier, ...(event && { event: event.type }) };
      effects.audit({ org_id, action: "billing.subscription_changed", subject: subjectOf(state), details });
    }
    // If the subscription did not change, a tier that an operator has set since is kept.
    if ((before.tier ?? "free") !== state.tier) {
      const { tier: from } = await lockOrg(tx, org_id);
      await updateOrg(tx, org_id, { tier: state.tier });
      await applyTierChange(tx, effects, org_id, { from, to: state.tier, at: now });
    }
    return { ...before, ...state };
  });
}

function subjectOf({ subscription_id }: store.StoredSubscription) {
  return { type: "subscription", id: subscription_id };
}
