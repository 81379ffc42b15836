import { expect, test } from "vitest";
import { harness } from "../../support/harness.ts";
import { makeKeyClient } from "../orgs/keys.ts";
import { countByStatus, errorReply, join, sendConcurrently, teamAdmin } from "../steps.ts";
import { deliver, event, FakeStripe, prices, subscription } from "./stripe.ts";

const stripe = await FakeStripe.start();
const h = await harness({ env: { ...stripe.env, PUBLIC_URL: "https://tocsin.example/app/" } });
const unconfigured = await harness();
const headers = { origin: "https://tocsin.example" };

// The time-out takes several seconds, so the request starts now and its test checks the reply.
const hangingStripe = await FakeStripe.start();
const replyBlocked = Promise.withResolvers<void>();
hangingStripe.before = () => replyBlocked.promise;
const withHangingStripe = await harness({ env: hangingStripe.env });
const hangingPortal = (await withHangingStripe.person()).client.post("/billing/portal");

const paramsOf = (route: string) =>
  stripe.requests.filter((request) => request.route === route).map((request) => request.params);

test("a checkout starts for the org's customer and carries the org id in its metadata", async () => {
  const { client, org_id } = await h.person();
  await client.patch(`/orgs/${org_id}`, { business: { billing_email: "bills@example.com" } });
  const reply = await client.post("/billing/checkout", { tier: "team" });
  const session = stripe.sessions.at(-1);
  expect(reply.body).toEqual({ url: session?.url, session_id: session?.id });
  expect(paramsOf("POST /v1/checkout/sessions").at(-1)).toEqual({
    mode: "subscription",
    customer: stripe.customers.at(-1)?.id,
    client_reference_id: org_id,
    "line_items[0][price]": prices.team,
    "line_items[0][quantity]": "1",
    success_url: "https://tocsin.example/app/?checkout=done&session_id={CHECKOUT_SESSION_ID}",
    cancel_url: "https://tocsin.example/app/?checkout=cancelled",
    "metadata[org_id]": org_id,
    "metadata[tier]": "team",
    "subscription_data[metadata][org_id]": org_id,
  });
  expect(stripe.customers.at(-1)).toMatchObject({ "metadata[org_id]": org_id });
  const update = stripe.requests.find(
    (request) => request.route === `POST /v1/customers/${stripe.customers.at(-1)?.id}`,
  );
  expect(update?.params).toMatchObject({ email: "bills@example.com" });
  expect((await client.get("/audit-log", { query: { limit: "1" } })).body).toMatchObject([
    { action: "billing.checkout_started", subject: { id: session?.id }, details: { tier: "team" } },
  ]);
});

test.each(["free", "gold", "", null])("a checkout for the tier %j gets 422", async (tier) => {
  const { client } = await h.person();
  expect((await client.post("/billing/checkout", { tier })).status).toBe(422);
});

test("concurrent checkouts create one customer and one session", async () => {
  const admin = await h.person();
  const [customers, sessions] = [stripe.customers.length, stripe.sessions.length];
  const replies = await sendConcurrently(Array(8).fill(admin.client), (client) =>
    client.post("/billing/checkout", { tier: "pro" }),
  );
  expect(countByStatus(replies)).toEqual({ 200: 8 });
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect([stripe.customers.length - customers, stripe.sessions.length - sessions]).toEqual([1, 1]);
});

test("concurrent checkouts for two tiers leave one session open", async () => {
  const admin = await h.person();
  const before = stripe.sessions.length;
  const replies = await Promise.all(
    ["pro", "team"].map((tier) => admin.client.post("/billing/checkout", { tier })),
  );
  for (const { status } of replies) expect([200, 409]).toContain(status);
  expect(replies.some(({ status }) => status === 200)).toBe(true);
  const open = stripe.sessions.slice(before).filter((session) => session.status === "open");
  expect(open).toHaveLength(1);
});

test("a repeated checkout returns the open session, and one for another tier expires it", async () => {
  const { client } = await h.person();
  const buy = async (tier: string) =>
    ((await client.post("/billing/checkout", { tier })).body as { session_id: string }).session_id;
  const first = await buy("pro");
  expect(await buy("pro")).toBe(first);
  const second = await buy("team");
  expect(second).not.toBe(first);
  const statuses = [first, second].map((id) => stripe.sessions.find((session) => session.id === id)?.status);
  expect(statuses).toEqual(["expired", "open"]);
});

test.each(["active", "trialing", "past_due", "unpaid", "paused"])(
  "a checkout with a subscription that is %s at Stripe gets already_subscribed",
  async (status) => {
    const { client } = await h.person();
    await client.post("/billing/portal");
    stripe.subscriptions.set(stripe.customers.at(-1)?.id ?? "", [subscription({ status })]);
    expect(await client.post("/billing/checkout", { tier: "team" })).toMatchObject(
      errorReply(409, "already_subscribed"),
    );
  },
);

test.each(["canceled", "incomplete_expired", "incomplete"])(
  "a checkout with a subscription that is %s starts a new session",
  async (status) => {
    const { client } = await h.person();
    await client.post("/billing/checkout", { tier: "team" });
    const session = stripe.sessions.at(-1);
    Object.assign(session ?? {}, { status: "complete", url: null });
    stripe.subscriptions.set(stripe.customers.at(-1)?.id ?? "", [subscription({ status })]);
    const reply = await client.post("/billing/checkout", { tier: "team" });
    expect(reply.status).toBe(200);
    expect(reply.body).not.toMatchObject({ session_id: session?.id });
  },
);

test("a checkout repeated with the same Idempotency-Key sends nothing to Stripe", async () => {
  const { client } = await h.person();
  const extra = { headers: { ...headers, "idempotency-key": "buy-1" } };
  const first = await client.post("/billing/checkout", { tier: "pro" }, extra);
  const requestsBefore = stripe.requests.length;
  const again = await client.post("/billing/checkout", { tier: "pro" }, extra);
  expect([again.text, again.headers["idempotency-replayed"]]).toEqual([first.text, "true"]);
  expect(stripe.requests.length).toBe(requestsBefore);
});

test("the billing portal opens for the org's customer", async () => {
  const { client } = await h.person();
  const reply = await client.post("/billing/portal");
  const customer = stripe.customers.at(-1)?.id;
  expect(reply.body).toEqual({ url: `https://portal.test/${customer}` });
  expect(paramsOf("POST /v1/billing_portal/sessions").at(-1)).toEqual({
    customer,
    return_url: "https://tocsin.example/app",
  });
});

test.each(["deleted", "forgotten"] as const)(
  "a customer that is %s at Stripe is replaced once by the next checkout, and its tier ends",
  async (how) => {
    const admin = await h.person();
    const { client } = admin;
    await client.post("/billing/checkout", { tier: "team" });
    const deletedCustomer = stripe.customers.at(-1)?.id ?? "";
    stripe.subscriptions.set(deletedCustomer, [subscription({ price: prices.team })]);
    await deliver(h.anonymous(), event("customer.subscription.created", deletedCustomer), h.clock.now());
    expect((await client.get(`/orgs/${admin.org_id}`)).body).toMatchObject({ tier: "team" });
    stripe[how].add(deletedCustomer);

    expect(await client.post("/billing/portal")).toMatchObject(errorReply(409, "conflict"));
    expect((await client.get("/billing/invoices")).body).toEqual([]);
    const before = [stripe.customers.length, stripe.sessions.length];
    const replies = await sendConcurrently(Array(6).fill(client), (one) =>
      one.post("/billing/checkout", { tier: "pro" }),
    );
    expect(countByStatus(replies)).toEqual({ 200: 6 });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect([stripe.customers.length, stripe.sessions.length]).toEqual(before.map((count) => count + 1));
    const made = stripe.customers.at(-1)?.id;
    expect(paramsOf("POST /v1/checkout/sessions").at(-1)).toMatchObject({ customer: made });
    expect((await client.get(`/orgs/${admin.org_id}`)).body).toMatchObject({ tier: "free" });
    expect((await client.get("/billing/subscription")).body).toMatchObject({ status: "canceled" });

    // Later events of the old customer change nothing; events of the new one apply.
    await deliver(
      h.anonymous(),
      event("customer.deleted", deletedCustomer, { id: deletedCustomer }),
      h.clock.now(),
    );
    stripe.subscriptions.set(made ?? "", [subscription({ id: "sub_2" })]);
    const created = event("customer.subscription.created", made ?? "");
    expect((await deliver(h.anonymous(), created, h.clock.now())).status).toBe(200);
    expect((await client.get(`/orgs/${admin.org_id}`)).body).toMatchObject({ tier: "pro" });
    expect((await client.post("/billing/portal")).body).toEqual({ url: `https://portal.test/${made}` });
  },
);

test("a customer.deleted event is applied although Stripe no longer knows the customer", async () => {
  const { client, org_id } = await h.person();
  await client.post("/billing/portal");
  const deletedCustomer = stripe.customers.at(-1)?.id ?? "";
  stripe.subscriptions.set(deletedCustomer, [subscription()]);
  await deliver(h.anonymous(), event("invoice.paid", deletedCustomer), h.clock.now());
  stripe.forgotten.add(deletedCustomer);
  const reply = await deliver(
    h.anonymous(),
    event("customer.deleted", deletedCustomer, { id: deletedCustomer }),
    h.clock.now(),
  );
  expect(reply.status).toBe(200);
  expect((await client.get(`/orgs/${org_id}`)).body).toMatchObject({ tier: "free" });
});

test("any member can read the invoices and the subscription of their own org only", async () => {
  const admin = await teamAdmin(h);
  const viewer = await join(h, admin, "viewer");
  await viewer.client.post(`/orgs/${admin.org_id}/switch`, undefined, { headers });
  for (const path of ["/billing/invoices", "/billing/subscription"])
    expect((await viewer.client.get(path)).text).toBe(path.endsWith("s") ? "[]" : "null");
  await admin.client.post("/billing/portal");
  const customer = stripe.customers.at(-1)?.id ?? "";
  const paid = { number: "A-1", status: "paid", amount_due: 9900, amount_paid: 9900, currency: "eur" };
  const urls = { hosted_invoice_url: "https://invoice.test/1", invoice_pdf: "https://invoice.test/1.pdf" };
  const draft = { id: "in_2", status: "draft", amount_due: 1, amount_paid: 0, currency: "jpy", created: 1 };
  stripe.invoices.set(customer, [
    { id: "in_1", ...paid, ...urls, created: 1_700_000_000, number: "A-1" },
    draft,
  ]);
  stripe.subscriptions.set(customer, [subscription({ price: prices.team })]);
  await deliver(h.anonymous(), event("invoice.paid", customer), h.clock.now());
  expect((await viewer.client.get("/billing/invoices")).body).toEqual([
    {
      ...{ id: "in_1", ...paid },
      hosted_invoice_url: "https://invoice.test/1",
      pdf_url: "https://invoice.test/1.pdf",
      created_at: "2023-11-14T22:13:20.000Z",
    },
    expect.objectContaining({ id: "in_2", number: null, hosted_invoice_url: null, pdf_url: null }),
  ]);
  expect((await viewer.client.get("/billing/subscription")).body).toMatchObject({
    tier: "team",
    status: "active",
  });
  const stranger = await h.person();
  expect((await stranger.client.get("/billing/invoices")).body).toEqual([]);
  expect((await stranger.client.get("/billing/subscription")).body).toBe(null);
});

test.each([
  ["fails", 500],
  ["is overloaded", 429],
  ["rejects the key", 401],
])("billing gets 503 without a secret if Stripe %s", async (_what, status) => {
  const { client } = await h.person();
  stripe.before = () => Promise.reject(status);
  const replies = [
    await client.post("/billing/checkout", { tier: "pro" }),
    await client.post("/billing/portal"),
  ];
  stripe.before = () => undefined;
  for (const reply of replies) {
    expect(reply).toMatchObject(errorReply(503, "billing_unavailable"));
    expect(reply.headers["retry-after"]).toBe("10");
  }
  expect(h.lines.join()).not.toContain("sk_test_stand_in");
  expect((await client.post("/billing/portal")).status).toBe(200);
});

test("a request to Stripe that gets no reply times out with 503", async () => {
  expect(await hangingPortal).toMatchObject(errorReply(503, "billing_unavailable"));
  replyBlocked.resolve();
});

test("without a Stripe key nothing can be bought, there are no invoices, and an operator can set the tier", async () => {
  const person = await unconfigured.person();
  const notConfigured = errorReply(503, "billing_not_configured");
  expect(await person.client.post("/billing/checkout", { tier: "pro" })).toMatchObject(notConfigured);
  expect(await person.client.post("/billing/portal")).toMatchObject(notConfigured);
  expect(await person.client.get("/billing/invoices")).toMatchObject({ status: 200, body: [] });
  expect(await person.client.get("/billing/subscription")).toMatchObject({ status: 200, body: null });
  expect(
    await deliver(unconfigured.anonymous(), event("invoice.paid", "cus_1"), unconfigured.clock.now()),
  ).toMatchObject(errorReply(400, "invalid_signature"));
  await unconfigured.setTier(person.org_id, "pro");
  expect((await person.client.get(`/orgs/${person.org_id}`)).body).toMatchObject({ tier: "pro" });
});

test("a missing price or webhook secret gets billing_not_configured", async () => {
  const { STRIPE_PRICE_TEAM: _, ...withoutPrice } = stripe.env;
  const { STRIPE_WEBHOOK_SECRET: __, ...withoutWebhookSecret } = stripe.env;
  for (const env of [withoutPrice, withoutWebhookSecret]) {
    const { client } = await (await harness({ env })).person();
    expect(await client.post("/billing/checkout", { tier: "team" })).toMatchObject(
      errorReply(503, "billing_not_configured"),
    );
  }
});

test("API keys are rejected by every billing operation", async () => {
  const admin = await teamAdmin(h);
  const key = await makeKeyClient(h, admin);
  for (const reply of [
    await key.post("/billing/checkout", { tier: "pro" }),
    await key.post("/billing/portal"),
    await key.get("/billing/invoices"),
    await key.get("/billing/subscription"),
  ])
    expect(reply).toMatchObject(errorReply(403, "session_required"));
});
