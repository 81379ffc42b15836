import { expect, test } from "vitest";
import { operations } from "../../src/http/routes/index.ts";
import { makeKey } from "../api/orgs/keys.ts";
import { runSize } from "../support/run-size.ts";
import { hostileBodies } from "./bodies.ts";
import { measureStandstill } from "./loop-probe.ts";
import { hostileWorld, maxStandstillMs, mebibyte } from "./world.ts";

/** Bodies of other formats than JSON, and messages of agents. */
const size = runSize("HOSTILE_BYTES", { short: 64 * 1024, long: 5 * mebibyte - 2_000 });
/** A short run sends one of three documents of each format. */
const everyNthDocument = runSize("HOSTILE_FORMATS_EVERY", { short: 3, long: 1 });
const everyNthMessage = runSize("HOSTILE_EVERY", { short: 24, long: 1 });

const { h, ada, send } = await hostileWorld();
const some = <Item>(all: Item[]) => all.filter((_, index) => index % everyNthDocument === 0);
const operation = (id: string) => operations.find((one) => one.id === id) ?? expect.fail(id);
const fill = (make: (n: number) => string) => {
  const parts: string[] = [];
  for (let length = 0, n = 0; length < size - 200; n++) length += parts[parts.push(make(n)) - 1]?.length ?? 0;
  return parts.join("");
};

const yaml: Record<string, () => string> = {
  "many keys": () => fill((n) => `k${n}: 1\n`),
  "a repeated key": () => fill(() => "version: 1\n"),
  "many anchors": () => fill((n) => `k${n}: &a${n} 1\n`),
  "aliases that multiply": () =>
    ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
      .concat(Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`)}]`))
      .join("\n"),
  "aliases of one large value": () =>
    `big: &big ${"x".repeat(size / 2)}\nlist: [${Array(1_000).fill("*big")}]`,
  "an alias of itself": () => "a: &a [*a, *a]\n",
  "many merge keys": () => `base: &base {a: 1}\n${fill((n) => `k${n}:\n  <<: *base\n`)}`,
  "deep lists": () => fill(() => "["),
  "deep objects": () => fill(() => "{a: "),
  "deep indentation": () => Array.from({ length: 1_400 }, (_, n) => `${" ".repeat(n)}k:\n`).join(""),
  "a wide list": () => `contracts: [${fill(() => "{},")}]`,
  "many documents": () => fill(() => "---\na: 1\n"),
  "many comments": () => fill(() => "# comment\n"),
  "one quoted text": () => `a: "${"\\n".repeat(size / 2 - 100)}"`,
  "an open quote": () => `a: "${fill(() => "text ")}`,
  "huge numbers": () => `a: [${fill(() => `${"9".repeat(1_000)},`)}]`,
  "many dates": () => `a: [${fill(() => "2026-01-01T00:00:00Z,")}]`,
  "unknown tags": () => fill((n) => `k${n}: !!python/object 1\n`),
};

test.each(some(Object.entries(yaml)))(
  "a configuration in YAML of %s gets a short reply without blocking the event loop",
  async (_, make) => {
    const payload = Buffer.from(make());
    const search = "?dry_run=true";
    const reply = await send(operation("applyConfig"), { payload, type: "application/yaml", search });
    expect([422, 503], reply.text.slice(0, 300)).toContain(reply.status);
    expect(reply.text.length).toBeLessThan(mebibyte);
    expect(reply.cpuMs).toBeLessThan(maxStandstillMs);
  },
);

const csv: Record<string, () => string> = {
  "many rows": () => `chain,address,label\n${fill((n) => `local,0x${n.toString(16).padStart(40, "0")},x\n`)}`,
  "many columns": () => fill((n) => `c${n},`),
  "a wide row": () => `chain,address\n${fill(() => ",")}`,
  "empty rows": () => `chain,address\n${fill(() => "\n")}`,
  "an open quote": () => `chain,address\n"${fill(() => "x,\n")}`,
  "doubled quotes": () => `chain,address\n"${fill(() => '""')}"`,
  "one long cell": () => `chain,address\n${fill(() => "a")},b`,
  "many labels": () => `chain,address,labels\nlocal,0x${"1".repeat(40)},"${fill((n) => `l${n};`)}"`,
};

test.each(some(Object.entries(csv)))(
  "a bulk import of CSV with %s gets a reply without blocking the event loop",
  async (_, make) => {
    const reply = await send(operation("bulkImportContracts"), {
      payload: Buffer.from(make()),
      type: "text/csv",
    });
    expect([200, 422, 503], reply.text.slice(0, 300)).toContain(reply.status);
    expect(reply.cpuMs).toBeLessThan(maxStandstillMs);
  },
);

test("the largest hostile messages of an agent get a short reply without blocking the event loop", async () => {
  const { key } = await makeKey(ada);
  const example = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_contracts" } };
  const slow: string[] = [];
  for (const [index, body] of [
    ...hostileBodies(example, { size: mebibyte - 2_000, values: 10_000 }),
  ].entries()) {
    if (index % everyNthMessage !== 0) continue;
    const headers = {
      host: "tocsin.test",
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const { result, cpuMs } = await measureStandstill(async () =>
      h.server.inject({ method: "POST", url: "/mcp", headers, payload: body.bytes() }),
    );
    const outcome = `${body.name}: ${result.statusCode} ${result.payload.slice(0, 200)}`;
    if (result.statusCode >= 500 && result.statusCode !== 503) expect.fail(outcome);
    expect(result.payload.length, outcome).toBeLessThan(mebibyte);
    if (cpuMs > maxStandstillMs) slow.push(`${Math.round(cpuMs)} ms: ${outcome}`);
  }
  expect(slow).toEqual([]);
});
