import { expect, test } from "vitest";
import { isSignedByStripe } from "../../../src/lib/signatures/stripe-signature.ts";
import { makeDice } from "../../http/junk.ts";
import { harness, type Person } from "../../support/harness.ts";
import { runSize, seedOf } from "../../support/run-size.ts";
import { KeyClient, makeKey } from "../orgs/keys.ts";
import { dump, errorReply, unknownId } from "../steps.ts";
import { deliver, event, FakeStripe, post, prices, sign, subscription, webhookSecret } from "./stripe.ts";

let onFault: (point: string) => void = () => undefined;
const stripe = await FakeStripe.start();
const newSecret = "whsec_fedcba9876543210";
const h = await harness({
  env: { ...stripe.env, STRIPE_WEBHOOK_SECRET: `${webhookSecret},${newSecret}` },
  faults: { hit: (point) => onFault(point) },
});

/** A person whose org is a Stripe customer. */
async function customer(): Promise<Person & { customer: string }> {
  const person = await h.person();
  await person.client.post("/billing/portal");
  return { ...person, customer: stripe.customers.at(-1)?.id ?? "" };
}

const tierOf = async ({ client, org_id }: Person) =>
  ((await client.get(`/orgs/${org_id}`)).body as { tier: string }).tier;
const send = (type: string, about: string, more: object = {}) =>
  deliver(h.anonymous(), event(type, about, more), h.clock.now());

test.each([
  ["active", "pro"],
  ["trialing", "pro"],
  ["past_due", "pro"],
  ["unpaid", "free"],
  ["canceled", "free"],
  ["incomplete", "free"],
  ["incomplete_expired", "free"],
  ["paused", "free"],
] as const)("a subscription with status %s gives the tier %s", async (status, tier) => {
  const one = await customer();
  stripe.subscriptions.set(one.customer, [subscription()]);
  await send("customer.subscription.created", one.customer);
  stripe.subscriptions.set(one.customer, [subscription({ status })]);
  expect((await send("customer.subscription.updated", one.customer)).body).toEqual({ ok: true });
  expect(await tierOf(one)).toBe(tier);
  expect((await one.client.get("/billing/subscription")).body).toEqual({
    ...{ tier, status, cancel_at_period_end: false },
    current_period_end: "2027-01-15T08:00:00.000Z",
  });
});

test.each(Object.entries(prices))(
  "a subscription to the price of %s gives that tier",
  async (tier, price) => {
    const one = await customer();
    stripe.subscriptions.set(one.customer, [subscription({ price })]);
    await send("checkout.session.completed", one.customer);
    expect(await tierOf(one)).toBe(tier);
  },
);

test("the highest active subscription determines the tier", async () => {
  const one = await customer();
  stripe.subscriptions.set(one.customer, [
    subscription({ id: "sub_old", price: prices.team, created: 1 }),
    subscription({ id: "sub_new", status: "canceled", price: prices.enterprise, created: 2 }),
  ]);
  await send("customer.subscription.deleted", one.customer);
  expect(await tierOf(one)).toBe("team");
});

test("an org whose customer is deleted at Stripe is downgraded to Free", async () => {
  const one = await customer();
  stripe.subscriptions.set(one.customer, [subscription()]);
  await send("customer.subscription.created", one.customer);
  stripe.subscriptions.delete(one.customer);
  const deletion = {
    ...event("customer.deleted", ""),
    data: { object: { id: one.customer, deleted: true } },
  };
  expect((await deliver(h.anonymous(), deletion, h.clock.now())).status).toBe(200);
  expect(await tierOf(one)).toBe("free");
  expect((await one.client.get("/billing/subscription")).body).toMatchObject({ status: "canceled" });
});

test("a subscription with a cancellation date shows cancel_at_period_end", async () => {
  const one = await customer();
  stripe.subscriptions.set(one.customer, [{ ...subscription(), cancel_at: 1_800_000_000 }]);
  await send("customer.subscription.updated", one.customer);
  expect((await one.client.get("/billing/subscription")).body).toMatchObject({ cancel_at_period_end: true });
});

test("the period end is read from the subscription in older API versions", async () => {
  const one = await customer();
  const old = { ...subscription(), current_period_end: 1_700_000_000 };
  stripe.subscriptions.set(one.customer, [{ ...old, items: { data: [{ price: { id: prices.pro } }] } }]);
  await send("invoice.paid", one.customer);
  expect((await one.client.get("/billing/subscription")).body).toMatchObject({
    current_period_end: "2023-11-14T22:13:20.000Z",
  });
});

test("a downgrade limits key rates, quotas and intervals from the next request on and deletes nothing", async () => {
  const one = await customer();
  stripe.subscriptions.set(one.customer, [subscription({ price: prices.team })]);
  await send("customer.subscription.created", one.customer);
  await one.client.patch(`/orgs/${one.org_id}/settings`, { polling_interval_seconds: 15 });
  const key = new KeyClient(h, (await makeKey(one)).key);
  for (const address of ["1", "2", "3", "4", "5", "6"]) {
    const body = {
      chain: "local",
      address: `0x${address.repeat(40)}`,
      selected_targets: [{ target_type: "tx_rate" }],
    };
    expect((await one.client.post("/contracts", body)).status).toBe(200);
  }
  expect((await key.get("/contracts")).headers["ratelimit-policy"]).toBe('"key";q=1200;w=60');
  const versions = async () =>
    (await h.app.db.selectFrom("watch_versions").selectAll().orderBy("contract_id").execute()).map(
      ({ changed }) => Number(changed),
    );
  const before = await versions();

  stripe.subscriptions.set(one.customer, [subscription({ status: "canceled" })]);
  await send("customer.subscription.deleted", one.customer);
  const reply = await key.get("/contracts");
  expect(reply.headers["ratelimit-policy"]).toBe('"key";q=30;w=60');
  expect(reply.body).toHaveLength(6);
  const more = { chain: "local", address: `0x${"7".repeat(40)}` };
  expect(await one.client.post("/contracts", more)).toMatchObject(errorReply(403, "quota_exceeded"));
  expect((await one.client.get(`/orgs/${one.org_id}/settings`)).body).toMatchObject({
    polling_interval_seconds: 60,
  });
  // A raised watch version makes the engine reload every contract with the interval of the tier.
  const after = await versions();
  expect(after.every((changed, index) => changed > (before[index] ?? 0))).toBe(true);
});

test("a tier change by subscription is recorded in the audit log with the actor system", async () => {
  const one = await customer();
  stripe.subscriptions.set(one.customer, [subscription()]);
  const reply = await send("customer.subscription.created", one.customer);
  const lines = (await one.client.get("/audit-log")).body as { action: string }[];
  // Entries with the same time have no order.
  expect(lines.toSorted((a, b) => (a.action < b.action ? 1 : -1))).toMatchObject([
    { action: "user.created" },
    {
      action: "org.tier_changed",
      actor: { type: "system" },
      details: { from: "free", to: "pro" },
      request_id: reply.headers["x-request-id"],
    },
    {
      action: "billing.subscription_changed",
      subject: { type: "subscription", id: "sub_1" },
      details: { status: "active", tier: "pro", event: "customer.subscription.created" },
    },
    { action: "billing.portal_opened" },
  ]);
});

test("a tier set by an operator stays until the subscription's tier changes", async () => {
  const one = await customer();
  await h.setTier(one.org_id, "enterprise");
  await send("invoice.paid", one.customer);
  expect(await tierOf(one)).toBe("enterprise");
  stripe.subscriptions.set(one.customer, [subscription({ status: "incomplete" })]);
  await send("customer.subscription.created", one.customer);
  expect(await tierOf(one)).toBe("enterprise");
  stripe.subscriptions.set(one.customer, [subscription()]);
  await send("customer.subscription.updated", one.customer);
  expect(await tierOf(one)).toBe("pro");
});

/** Expects that the database is unchanged afterwards. */
async function expectNothingWritten(act: () => Promise<unknown>): Promise<void> {
  const before = await dump(h);
  await act();
  expect(await dump(h)).toEqual(before);
}

test("an event for an unknown price gets 500 and writes nothing until the price is known", async () => {
  const one = await customer();
  stripe.subscriptions.set(one.customer, [subscription({ price: "price_of_somebody_else" })]);
  const sent = event("customer.subscription.created", one.customer);
  for (let times = 0; times < 2; times++) {
    await expectNothingWritten(async () =>
      expect(await deliver(h.anonymous(), sent, h.clock.now())).toMatchObject(errorReply(500, "internal")),
    );
  }
  expect(h.lines.join()).toContain("price_of_somebody_else");
  stripe.subscriptions.set(one.customer, [subscription()]);
  expect((await deliver(h.anonymous(), sent, h.clock.now())).status).toBe(200);
  expect(await tierOf(one)).toBe("pro");
});

test.each([
  ["Stripe fails", () => Promise.reject(503)],
  ["Stripe rejects the key", () => Promise.reject(401)],
])("an event gets 500 and writes nothing if %s, and is applied when redelivered", async (_what, fails) => {
  const one = await customer();
  stripe.subscriptions.set(one.customer, [subscription()]);
  const sent = event("customer.subscription.created", one.customer);
  stripe.before = fails;
  await expectNothingWritten(async () =>
    expect(await deliver(h.anonymous(), sent, h.clock.now())).toMatchObject(errorReply(500, "internal")),
  );
  stripe.before = () => undefined;
  expect((await deliver(h.anonymous(), sent, h.clock.now())).status).toBe(200);
  expect(await tierOf(one)).toBe("pro");
  expect(h.lines.join()).not.toContain("sk_test_stand_in");
});

test("an event whose processing crashes is applied once, before or after its commit", async () => {
  const one = await customer();
  stripe.subscriptions.set(one.customer, [subscription()]);
  const sent = event("customer.subscription.created", one.customer);
  const crashAt = (where: string) => {
    onFault = (point) => {
      if (point === where) throw new Error("the process died");
    };
  };
  crashAt("write.before_commit");
  await expectNothingWritten(async () =>
    expect((await deliver(h.anonymous(), sent, h.clock.now())).status).toBe(500),
  );
  crashAt("write.after_commit");
  expect((await deliver(h.anonymous(), sent, h.clock.now())).status).toBe(500);
  onFault = () => undefined;
  await expectNothingWritten(async () =>
    expect((await deliver(h.anonymous(), sent, h.clock.now())).status).toBe(200),
  );
  expect(await tierOf(one)).toBe("pro");
});

test("events of other customers or types change nothing, and live events are rejected in test mode", async () => {
  const one = await customer();
  const live = { ...event("invoice.paid", one.customer), livemode: true };
  await expectNothingWritten(async () => {
    for (const [type, about, more] of [
      ["customer.tax_id.created", one.customer, {}],
      ["customer.subscription.created", "cus_of_another_product", {}],
      ["customer.subscription.created", "cus_of_nobody", { metadata: { org_id: unknownId } }],
      // The metadata names our org, but the org has another customer.
      ["customer.subscription.created", "cus_of_another", { metadata: { org_id: one.org_id } }],
      ["invoice.paid", "cus_of_another", { client_reference_id: one.org_id }],
    ] as const)
      expect((await send(type, about, more)).status).toBe(200);
    expect((await deliver(h.anonymous(), live, h.clock.now())).status).toBe(500);
  });
});

test("an unknown customer is matched to its org by the subscription's metadata", async () => {
  const person = await h.person();
  stripe.subscriptions.set("cus_restored", [subscription()]);
  await send("customer.subscription.updated", "cus_restored", { metadata: { org_id: person.org_id } });
  expect(await tierOf(person)).toBe("pro");
});

test("either of two webhook secrets is accepted", async () => {
  const sent = event("customer.tax_id.created", "cus_1");
  expect((await deliver(h.anonymous(), sent, h.clock.now(), newSecret)).status).toBe(200);
  const wrong = await deliver(h.anonymous(), sent, h.clock.now(), "whsec_of_somebody_else");
  expect(wrong).toMatchObject(errorReply(400, "invalid_signature"));
});

test.each([
  [-301, 400],
  [-299, 200],
  [299, 200],
  [301, 400],
  [86_400 * 365, 400],
])("a webhook signature with a timestamp offset of %i seconds gets %i", async (seconds, status) => {
  const at = new Date(h.clock.now().getTime() + seconds * 1000);
  const reply = await deliver(h.anonymous(), event("customer.tax_id.created", "cus_1"), at);
  expect(reply.status).toBe(status);
});

test.each(["", "t=,v1=", "v1=00", `t=1,v1=${"0".repeat(64)}`, "t=now,v1=x", "nonsense", ",,,"])(
  "the webhook signature header %j gets 400",
  async (header) => {
    const reply = await post(h.anonymous(), "{}", header);
    expect(reply).toMatchObject(errorReply(400, "invalid_signature"));
  },
);

const seed = seedOf("BILLING_SEED");

const mutations = runSize("BILLING_MUTATIONS", { short: 200, long: 10_000 });

test(`${mutations} mutated webhook bodies and signatures are all rejected (BILLING_SEED=${seed})`, async () => {
  const dice = makeDice(seed);
  const payload = JSON.stringify(event("customer.tax_id.created", "cus_1", { text: "naïve ✓" }), null, 2);
  const header = sign(payload, h.clock.now());
  expect((await post(h.anonymous(), payload, header)).status).toBe(200);
  const client = h.anonymous();
  for (let n = 0; n < mutations; n++) {
    const isBody = dice.chance(0.5);
    const bytes = isBody ? mutate(Buffer.from(payload), 256) : Buffer.from(payload);
    // A header cannot contain control characters.
    const signature = isBody ? header : mutate(Buffer.from(header), 0).toString("latin1");
    const reply = await post(client, bytes, signature);
    if (reply.status !== 400) expect.fail(`${n}: ${signature}\n${bytes}`);
  }

  /** Changes, inserts or removes one byte at a random position. */
  function mutate(bytes: Buffer, range: number): Buffer {
    const at = dice.below(bytes.length);
    const other = range ? dice.below(range) : 0x21 + dice.below(0x5d);
    const way = dice.below(3);
    if (way === 0) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    if (way === 1) return Buffer.concat([bytes.subarray(0, at), Buffer.from([other]), bytes.subarray(at)]);
    const changed = Buffer.from(bytes);
    changed[at] = other === bytes[at] ? other ^ 1 : other;
    return changed;
  }
});

test("a webhook signature covers bytes and not decoded text", () => {
  const payload = '{"a":"\uFFFD"}';
  const now = h.clock.now();
  const signed = { header: sign(payload, now), secrets: [webhookSecret], now };
  expect(isSignedByStripe({ ...signed, bytes: Buffer.from(payload) })).toBe(true);
  const lookalike = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect(isSignedByStripe({ ...signed, bytes: lookalike })).toBe(false);
});

test("a signed webhook body that is not an event gets 400, and one too large 413", async () => {
  for (const payload of ["", "null", "{", '{"id":1}'])
    expect(await post(h.anonymous(), payload, sign(payload, h.clock.now()))).toMatchObject({ status: 400 });
  const large = `"${"a".repeat(1024 * 1024)}"`;
  expect(await post(h.anonymous(), large, sign(large, h.clock.now()))).toMatchObject(
    errorReply(413, "payload_too_large"),
  );
});
