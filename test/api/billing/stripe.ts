import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Stripe } from "stripe";
import { afterAll } from "vitest";
import type { Client, Reply } from "../../support/client.ts";

const secretKey = "sk_test_stand_in";
export const webhookSecret = "whsec_0123456789abcdef";
export const prices = { pro: "price_pro", team: "price_team", enterprise: "price_enterprise" };

type StripeObject = Record<string, unknown> & { id: string };
type Params = Record<string, string>;

/** A fake Stripe server that accepts the form-encoded requests of Stripe's client and records them. */
export class FakeStripe {
  readonly customers: StripeObject[] = [];
  readonly sessions: StripeObject[] = [];
  /** By customer. */
  readonly subscriptions = new Map<string, StripeObject[]>();
  readonly invoices = new Map<string, StripeObject[]>();
  /** Deleted customers, which Stripe still returns as deleted. */
  readonly deleted = new Set<string>();
  /** Customers that Stripe no longer knows. */
  readonly forgotten = new Set<string>();
  readonly requests: { route: string; params: Params; key: string | undefined }[] = [];
  /** Called before the reply is computed; can wait, throw the status to reply with, or hang. */
  before: (route: string) => void | Promise<void> = () => undefined;
  /** Called when the reply is computed and not yet sent. */
  after: (route: string) => void | Promise<void> = () => undefined;
  private readonly repliesByKey = new Map<string, { params: string; replyTo: unknown }>();
  private readonly server = createServer((request, response) => void this.handle(request, response));
  private made = 0;

  static async start(): Promise<FakeStripe> {
    const fake = new FakeStripe();
    await new Promise<void>((resolve) => fake.server.listen(0, "127.0.0.1", resolve));
    afterAll(() => fake.close());
    return fake;
  }

  /** The environment that makes the service use this server. */
  get env(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_API_URL: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICE_PRO: prices.pro,
      STRIPE_PRICE_TEAM: prices.team,
      STRIPE_PRICE_ENTERPRISE: prices.enterprise,
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://stripe");
    const text = Buffer.concat(await request.toArray()).toString();
    const params = Object.fromEntries([...url.searchParams, ...new URLSearchParams(text)]);
    const route = `${request.method} ${url.pathname}`;
    const key = request.headers["idempotency-key"] as string | undefined;
    this.requests.push({ route, params, key });
    const send = (status: number, body: string) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    try {
      await this.before(route);
      if (request.headers.authorization !== `Bearer ${secretKey}`) throw 401;
      const replyTo = JSON.stringify(this.runOncePerKey(key, params, () => this.replyTo(route, params)));
      await this.after(route);
      send(200, replyTo);
    } catch (failure) {
      if (failure === "missing") {
        const error = { type: "invalid_request_error", code: "resource_missing", param: "customer" };
        send(request.method === "GET" ? 404 : 400, JSON.stringify({ error }));
        return;
      }
      const status = typeof failure === "number" ? failure : 500;
      const type = { 401: "invalid_request_error", 400: "idempotency_error" }[status] ?? "api_error";
      send(status, JSON.stringify({ error: { type, message: `${secretKey} was refused` } }));
    }
  }

  /** Returns the stored reply of an idempotency key, and rejects the key with other parameters. */
  private runOncePerKey(key: string | undefined, params: Params, make: () => unknown): unknown {
    if (!key) return make();
    const stored = this.repliesByKey.get(key);
    if (stored && stored.params !== JSON.stringify(params)) throw 400;
    const replyTo = stored?.replyTo ?? make();
    this.repliesByKey.set(key, { params: JSON.stringify(params), replyTo });
    return replyTo;
  }

  private replyTo(route: string, params: Params): unknown {
    const [, path = ""] = route.split(" /v1/");
    const [id = "", verb] = path.split("/").slice(path.startsWith("checkout") ? 2 : 1);
    if (route === "POST /v1/customers")
      return this.add(this.customers, { id: `cus_${++this.made}`, ...params });
    if (this.forgotten.has(id) || [...this.forgotten, ...this.deleted].includes(params.customer ?? ""))
      throw "missing";
    if (path.startsWith("customers/")) return { id, ...(this.deleted.has(id) && { deleted: true }) };
    if (route === "POST /v1/checkout/sessions") return this.openSession(params);
    if (path.startsWith("checkout/sessions/")) return this.session(id, verb);
    if (route === "POST /v1/billing_portal/sessions")
      return { url: `https://portal.test/${params.customer}` };
    if (route === "GET /v1/subscriptions") return listOf(this.subscriptions.get(params.customer ?? ""));
    if (route === "GET /v1/invoices") return listOf(this.invoices.get(params.customer ?? ""));
    throw 404;
  }

  private openSession(params: Params): StripeObject {
    const id = `cs_test_${++this.made}`;
    const metadata = { org_id: params["metadata[org_id]"], tier: params["metadata[tier]"] };
    return this.add(this.sessions, { id, status: "open", url: `https://checkout.test/${id}`, metadata });
  }

  private session(id: string, verb: string | undefined): StripeObject {
    const found = this.sessions.find((session) => session.id === id);
    if (!found) throw 404;
    if (verb === "expire") Object.assign(found, { status: "expired", url: null });
    return found;
  }

  private add(list: StripeObject[], thing: StripeObject): StripeObject {
    list.push(thing);
    return thing;
  }
}

const listOf = (data: StripeObject[] = []) => ({ object: "list", data, has_more: false, url: "/" });

/** A subscription in the current API format, with the end of the period on its item. */
export function subscription(
  more: Partial<{ id: string; status: string; price: string; created: number }> = {},
) {
  const { id = "sub_1", status = "active", price = prices.pro, created = 1_700_000_000 } = more;
  const item = { id: "si_1", price: { id: price, object: "price" }, current_period_end: 1_800_000_000 };
  return {
    ...{ id, object: "subscription", status, created, cancel_at: null, cancel_at_period_end: false },
    items: { object: "list", data: [item] },
  };
}

export type StripeEvent = {
  id: string;
  object: "event";
  type: string;
  livemode: boolean;
  created: number;
  data: { object: Record<string, unknown> };
};

/** An event of a customer. The service must not rely on the state in its object. */
export function event(
  type: string,
  customer: string,
  more: object = {},
  id = `evt_${++events}`,
): StripeEvent {
  const object = { id: "obj_1", customer, ...more };
  return { id, object: "event", type, livemode: false, created: 1_700_000_000, data: { object } };
}
let events = 0;

const { webhooks } = new Stripe(secretKey);

/** Signs a payload with the helper of Stripe's package. */
export function sign(payload: string, at: Date, secret = webhookSecret): string {
  const timestamp = Math.floor(at.getTime() / 1000);
  return webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

/** Delivers an event as Stripe does, with a signature over the exact bytes. */
export function deliver(
  client: Client,
  stripeEvent: StripeEvent,
  now: Date,
  secret?: string,
): Promise<Reply> {
  const payload = JSON.stringify(stripeEvent, null, 2);
  return post(client, payload, sign(payload, now, secret));
}

export function post(client: Client, payload: string | Buffer, signature: string): Promise<Reply> {
  const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature };
  return client.post("/billing/webhook", payload, { headers });
}
