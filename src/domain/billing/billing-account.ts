import type { Stripe } from "stripe";
import { z } from "zod";
import type { App } from "../../app.ts";
import * as store from "../../store/billing/billing.ts";
import { lockOrg, updateOrg } from "../../store/orgs/orgs.ts";
import { type RequestContext, systemCaller } from "../caller.ts";
import { followTierChange } from "../orgs/org-tier.ts";
import { write } from "../transaction.ts";
import { emptyIfMissing } from "./billing-client.ts";
import { StripeSubscription, stateOf } from "./billing-state.ts";

/** Notes which customer an org is; it stays that one while it is there. */
export async function keepAccount(app: App, org_id: string, customer_id: string) {
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

/** Each try that fails means that another succeeded, so that this is never reached but by a flood. */
const maxTries = 20;

/**
 * Brings an org to what its subscriptions are now, whatever made us look. Events tell that something happened and never
 * what: they come twice and in any order, and the processor alone knows how things stand. What was fetched before somebody
 * else wrote is fetched again, so that older state cannot follow newer.
 */
export async function syncAccount(
  app: App,
  stripe: Stripe,
  account: store.BillingAccount,
  context: RequestContext,
  event?: { id: string; type: string },
): Promise<store.BillingAccount> {
  let known: store.BillingAccount | undefined = account;
  for (let left = maxTries; known && left > 0; left--) {
    const subscriptions = await fetchSubscriptions(stripe, known.customer_id);
    const state = stateOf(app.config, subscriptions) ?? ended(known);
    const synced = await apply(app, known, state, context, event);
    if (synced) return synced;
    known = await store.findAccount(app.db, account.org_id);
  }
  throw new Error(`The account of ${account.org_id} kept changing.`);
}

/** None where the customer is not there any more. */
async function fetchSubscriptions(stripe: Stripe, customer: string): Promise<StripeSubscription[]> {
  const list = stripe.subscriptions.list({ customer, status: "all", limit: 100 });
  const { data } = await emptyIfMissing(list);
  return z.array(StripeSubscription).parse(data);
}

/** A customer that was deleted has no subscriptions any more: the one that there was is over. */
function ended({
  subscription_id,
  current_period_end,
}: store.BillingAccount): store.StoredSubscription | undefined {
  if (subscription_id === null) return undefined;
  const over = { status: "canceled", tier: "free", cancel_at_period_end: false } as const;
  return { subscription_id, current_period_end, ...over };
}

/** Writes state, event and tier together; undefined when the account was written since it was read. */
async function apply(
  app: App,
  { org_id, revision }: store.BillingAccount,
  state: store.StoredSubscription | undefined,
  { request_id, ip }: RequestContext,
  event: { id: string; type: string } | undefined,
): Promise<store.BillingAccount | undefined> {
  const caller = { ...systemCaller, context: { request_id, ip } };
  return write(app, caller, async (tx, effects) => {
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
    // Where the subscription says the same as before, a tier that an operator has set since stays.
    if ((before.tier ?? "free") !== state.tier) {
      const { tier: from } = await lockOrg(tx, org_id);
      await updateOrg(tx, org_id, { tier: state.tier });
      await followTierChange(tx, effects, org_id, { from, to: state.tier, at: now });
    }
    return { ...before, ...state };
  });
}

function subjectOf({ subscription_id }: store.StoredSubscription) {
  return { type: "subscription", id: subscription_id };
}
