import { expect, test } from "vitest";
import { systemRandom, uuidv7 } from "../../../src/lib/random.ts";
import { makeDice } from "../../http/junk.ts";
import { harness } from "../../support/harness.ts";
import { runSize, seedOf } from "../../support/run-size.ts";
import { deliver, event, FakeStripe, prices, subscription } from "./stripe.ts";

const stripe = await FakeStripe.start();
const h = await harness({ env: stripe.env });
const seed = seedOf("BILLING_SEED");

/** Six events of one subscription, with its state at Stripe after each. */
const cancelled = [
  ["customer.subscription.created", { status: "incomplete" }],
  ["checkout.session.completed", { status: "active" }],
  ["invoice.paid", { status: "active" }],
  ["customer.subscription.updated", { status: "active", price: prices.team }],
  ["invoice.payment_failed", { status: "past_due", price: prices.team }],
  ["customer.subscription.deleted", { status: "canceled", price: prices.team }],
] as const;
const staysActive = [
  ...cancelled.slice(0, 5),
  ["customer.subscription.updated", { status: "active", price: prices.enterprise }],
] as const;

const everyOrder = permutations([0, 1, 2, 3, 4, 5]);
const everyNth = runSize("BILLING_EVERY_NTH_ORDER", { short: 60, long: 1 });
const orders = everyOrder.filter((_, turn) => turn % everyNth === seed % everyNth);

test.each([
  ["that is cancelled", cancelled, { status: "canceled", tier: "free" }],
  ["that stays active", staysActive, { status: "active", tier: "enterprise" }],
] as const)(
  `the events of a subscription %s lead to one state in ${orders.length} orders, with repeats (BILLING_SEED=${seed})`,
  async (what, steps, final) => {
    const dice = makeDice(seed ^ what.length);
    const orgs = await makeOrgs(orders.length);
    const run = async (turn: number) => {
      const { org_id, customer } = orgs[turn] as (typeof orgs)[number];
      const sent = steps.map(([type], index) => event(type, customer, {}, `evt_${org_id}_${index}`));
      const deliveries = (orders[turn] ?? []).flatMap(
        (index) => Array(dice.chance(0.3) ? 2 : 1).fill(index) as number[],
      );
      // Some events are delivered again at the end.
      deliveries.push(...deliveries.filter(() => dice.chance(0.1)));
      let happened = -1;
      for (const index of deliveries) {
        // Stripe's state is at least as new as every event it has delivered.
        happened = Math.max(happened, index);
        stripe.subscriptions.set(customer, [subscription(steps[happened]?.[1])]);
        const reply = await deliver(client, sent[index] as (typeof sent)[number], h.clock.now());
        if (reply.status !== 200) expect.fail(`order ${orders[turn]}: ${reply.text}`);
      }
    };
    const client = h.anonymous();
    await inLanes(6, orders.length, run);

    const accounts = await h.app.db
      .selectFrom("billing_accounts as a")
      .innerJoin("orgs as o", "o.id", "a.org_id")
      .select(["a.status", "a.tier", "o.tier as org_tier", "a.revision"])
      .where("a.customer_id", "like", `${orgs[0]?.prefix}%`)
      .execute();
    expect(accounts.length).toBe(orders.length);
    for (const account of accounts) expect(account).toEqual({ ...final, org_tier: final.tier, revision: 6 });
  },
);

test("Stripe events delivered concurrently lead to the final state", async () => {
  for (const { org_id, customer } of await makeOrgs(5)) {
    const sent = staysActive.map(([type], index) => event(type, customer, {}, `evt_${org_id}_${index}`));
    let lookups = 0;
    // Each request to Stripe returns a newer state than the one before.
    stripe.before = async (route) => {
      if (route !== "GET /v1/subscriptions") return;
      const step = Math.min(lookups++, 5);
      stripe.subscriptions.set(customer, [subscription(staysActive[step]?.[1])]);
    };
    const clients = [...sent, ...sent].map((stripeEvent) =>
      deliver(h.anonymous(), stripeEvent, h.clock.now()),
    );
    const replies = await Promise.all(clients);
    stripe.before = () => undefined;
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
    const org = await h.app.db.selectFrom("orgs").select("tier").where("id", "=", org_id).executeTakeFirst();
    expect(org).toEqual({ tier: "enterprise" });
  }
});

test("a subscription state fetched earlier does not overwrite a newer one", async () => {
  const [{ org_id, customer } = { org_id: "", customer: "" }] = await makeOrgs(1);
  stripe.subscriptions.set(customer, [subscription({ price: prices.pro })]);
  const release = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  // The first reply is computed and then held until the second event is applied.
  stripe.after = async (route) => {
    if (route !== "GET /v1/subscriptions") return;
    stripe.after = () => undefined;
    reached.resolve();
    await release.promise;
  };
  const slow = deliver(h.anonymous(), event("customer.subscription.created", customer), h.clock.now());
  await reached.promise;
  stripe.subscriptions.set(customer, [subscription({ price: prices.team })]);
  const fast = await deliver(h.anonymous(), event("customer.subscription.updated", customer), h.clock.now());
  release.resolve();
  expect([fast.status, (await slow).status]).toEqual([200, 200]);
  const org = await h.app.db.selectFrom("orgs").select("tier").where("id", "=", org_id).executeTakeFirst();
  expect(org).toEqual({ tier: "team" });
});

/** Inserts orgs with customers directly, because hundreds of sign-ups would take longer than the test. */
async function makeOrgs(count: number) {
  const now = h.clock.now();
  const prefix = `cus_${uuidv7(now, systemRandom).slice(-12)}`;
  const orgs = Array.from({ length: count }, (_, index) => ({
    org_id: uuidv7(now, systemRandom),
    customer: `${prefix}_${index}`,
    prefix,
  }));
  const about = { business: "{}", feature_flags: "{}", polling_interval_seconds: null, created_at: now };
  await h.app.db
    .insertInto("orgs")
    .values(orgs.map(({ org_id }) => ({ id: org_id, name: "Org", ...about })))
    .execute();
  await h.app.db
    .insertInto("billing_accounts")
    .values(
      orgs.map(({ org_id, customer: customer_id }) => ({
        org_id,
        customer_id,
        created_at: now,
        updated_at: now,
      })),
    )
    .execute();
  return orgs;
}

async function inLanes(lanes: number, count: number, run: (turn: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
