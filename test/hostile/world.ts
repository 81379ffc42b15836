import type { InjectOptions } from "fastify";
import { SchemaBook } from "../../src/http/openapi/schema-book.ts";
import type { Operation } from "../../src/http/operation.ts";
import { FakeStripe } from "../api/billing/stripe.ts";
import { addContractWithRule } from "../api/contracts/contract-steps.ts";
import { harness } from "../support/harness.ts";
import { measureStandstill } from "./loop-probe.ts";

export const mebibyte = 1024 * 1024;

/** The longest time, in CPU milliseconds, for which one request may keep the event loop of a process busy. */
export const maxStandstillMs = 250;

/** A service with an org on the largest tier, and a function that sends any request of one of its members or of staff. */
export async function hostileWorld() {
  const stripe = await FakeStripe.start();
  const h = await harness({ env: { ...stripe.env, TWILIO_AUTH_TOKEN: "0123456789abcdef" } });
  const ada = await h.personOn("enterprise", "ada");
  const about = await addContractWithRule(ada);
  const staff = await h.staff();
  const known: Record<string, string> = {
    contract_id: about.contract.id,
    target_id: about.target.id,
    rule_id: about.rule.id,
    org_id: ada.org_id,
    chain: "ethereum",
  };
  let requests = 0;

  /** Sends a request and measures how long the event loop was blocked. */
  async function send(
    operation: Operation,
    { payload, type, search = "" }: { payload?: Buffer; type?: string; search?: string },
  ) {
    const { cookies } = operation.path.startsWith("/admin") ? staff : ada.client;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? about.contract.id);
    const request: InjectOptions = {
      method: operation.method,
      url: `/api/v1${path}${search}`,
      // Another address each time, because rate limits would hide the rest.
      remoteAddress: `10.1.${(++requests >> 8) & 255}.${requests & 255}`,
      headers: {
        host: "tocsin.test",
        origin: "http://tocsin.test",
        ...(payload && { "content-type": type ?? operation.hook?.takes ?? "application/json" }),
        "x-twilio-signature": "A".repeat(27).concat("="),
        ...(operation.id !== "logOut" && { cookie }),
      },
      ...(payload && { payload }),
    };
    const { result, cpuMs, wallMs } = await measureStandstill(async () => h.server.inject(request));
    return { status: result.statusCode, text: result.payload, cpuMs, wallMs };
  }

  /** A valid body of the operation that names what exists. */
  function exampleOf({ body }: Operation): unknown {
    if (!body) return undefined;
    const book = new SchemaBook();
    const example = book.exampleOf(book.add(body, "input"));
    const ids = { channel_id: null, channel_ids: [], ...known };
    if (typeof example !== "object" || example === null || Array.isArray(example)) return example;
    const replaced = Object.entries(ids).filter(([name]) => name in example);
    return { ...example, ...Object.fromEntries(replaced) };
  }

  return { h, ada, about, send, exampleOf };
}
