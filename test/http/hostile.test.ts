import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test } from "vitest";
import { SchemaBook } from "../../src/http/openapi/schema-book.ts";
import type { Operation } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/index.ts";
import { addContractWithRule } from "../api/contracts/contract-steps.ts";
import { FakeStripe } from "../billing/stripe.ts";
import { harness } from "../support/harness.ts";
import { runSize } from "../support/run-size.ts";
import { type HostileBody, hostileBodies } from "./hostile-bodies.ts";

/** The share of the largest accepted body that is sent. */
const share = runSize("HOSTILE_SHARE", { short: 0.03, long: 1 });
/** One of how many bodies is sent; which one differs between operations. */
const every = runSize("HOSTILE_EVERY", { short: 8, long: 1 });
/** Delays are asserted only in the long run: on a busy machine they say nothing about the service. */
const maxDelayMs = process.env.TEST_LONG ? 250 : Number.POSITIVE_INFINITY;
const mebibyte = 1024 * 1024;

const stripe = await FakeStripe.start();
const h = await harness({ env: { ...stripe.env, TWILIO_AUTH_TOKEN: "0123456789abcdef" } });
const ada = await h.person("ada");
await h.setTier(ada.org_id, "enterprise");
const about = await addContractWithRule(ada);
const staff = await h.staff();
const known: Record<string, string> = {
  contract_id: about.contract.id,
  target_id: about.target.id,
  rule_id: about.rule.id,
  org_id: ada.org_id,
  chain: "ethereum",
};
const receiving = operations.filter(({ body, hook, isStream }) => (body || hook) && !isStream);

test.each(receiving.map((one) => [`${one.method} ${one.path}`, one] as const))(
  "%s answers every hostile body with a short reply",
  { timeout: 900_000 },
  async (_, operation) => {
    const { bodyBytes = mebibyte } = operation.limits;
    const slow: string[] = [];
    const offset = requests;
    const size = Math.max(4_000, Math.floor(bodyBytes * share) - 2_000);
    for (const [index, body] of [...hostileBodies(exampleOf(operation), size)].entries()) {
      if (index % every !== offset % every) continue;
      const { status, text, delayMs } = await send(operation, body);
      const outcome = `${body.name} (${body.bytes.length} bytes): ${status} ${text.slice(0, 200)}`;
      if (status >= 500 && status !== 503) expect.fail(outcome);
      if (text.length > mebibyte) expect.fail(`${outcome} has ${text.length} characters`);
      if (status === 422) expect((JSON.parse(text) as { detail: unknown[] }).detail.length).toBeLessThan(102);
      if (delayMs > maxDelayMs) slow.push(`${Math.round(delayMs)} ms: ${outcome}`);
    }
    expect(slow).toEqual([]);
  },
);

let requests = 0;

/** Sends a body and measures how long the event loop stood still. */
async function send(operation: Operation, { bytes }: HostileBody) {
  const { cookies } = operation.path.startsWith("/admin") ? staff : ada.client;
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const url = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? about.contract.id);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const reply = await h.server.inject({
    method: operation.method as "POST",
    url: `/api/v1${url}`,
    // Another address each time, because rate limits would hide the rest.
    remoteAddress: `10.1.${(++requests >> 8) & 255}.${requests & 255}`,
    headers: {
      host: "tocsin.test",
      origin: "http://tocsin.test",
      "content-type": operation.hook?.takes ?? "application/json",
      "x-twilio-signature": "A".repeat(27).concat("="),
      ...(operation.id !== "logOut" && { cookie }),
    },
    payload: bytes,
  });
  delay.disable();
  return { status: reply.statusCode, text: reply.payload, delayMs: delay.max / 1e6 };
}

function exampleOf({ body }: Operation): unknown {
  if (!body) return undefined;
  const book = new SchemaBook();
  const example = book.exampleOf(book.add(body, "input"));
  const ids = { channel_id: null, channel_ids: [], ...known };
  if (typeof example !== "object" || example === null || Array.isArray(example)) return example;
  const replaced = Object.entries(ids).filter(([name]) => name in example);
  return { ...example, ...Object.fromEntries(replaced) };
}
