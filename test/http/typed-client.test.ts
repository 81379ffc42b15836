import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import createClient from "openapi-fetch";
import { expect, onTestFinished, test } from "vitest";
import { apiTypes } from "../../scripts/api-types.ts";
import type { paths } from "../../web/src/lib/schema.d.ts";
import { freshAddress } from "../api/contracts/contract-steps.ts";
import { makeKey } from "../api/orgs/keys.ts";
import { harness } from "../support/harness.ts";

const h = await harness();

/** Statements of a client, each with whether it is a type error. */
const statements: [text: string, isError: boolean][] = [
  [`const a: S["TargetCreate"] = { target_type: "tx_rate" }`, false],
  [`const b: S["TargetCreate"] = { target_type: "tx_rate", config: { direction: "to" } }`, false],
  [`const c: S["TargetCreate"] = { target_type: "tx_rate", config: { dirction: "to" } }`, true],
  [`const d: S["TargetCreate"] = { target_type: "tx_rate", config: { direction: "up" } }`, true],
  [
    `const e: S["ChannelCreate"] = { type: "webhook", name: "Hook", config: { url: "https://example.com" } }`,
    false,
  ],
  [
    `const f: S["ChannelCreate"] = { type: "webhook", name: "Hook", config: { uri: "https://example.com" } }`,
    true,
  ],
  [`const g: S["AlertRuleCreate"]["severity"] = "critical"`, false],
  [`const i: S["AlertRuleCreate"]["severity"] = "fatal"`, true],
  [`const j: S["Failure"]["code"] = "out_of_scope"`, false],
  [`const k: S["Failure"]["code"] = "out_of_scop"`, true],
  [`const l: S["TargetUpdate"] = { config: { direction: "to" } }`, false],
  [`const m: S["TargetUpdate"] = { config: { dirction: "to" } }`, true],
  [`const n: S["ConfigTarget"] = { target_type: "tx_rate", config: { direction: "up" } }`, true],
  [
    `const o: S["ConfigChannel"] = { type: "slack", name: "Ops", config: { webhook_url: { $secret: "HOOK" } } }`,
    false,
  ],
  [
    `const p = (t: S["Target"]) => (t.status !== "unsupported" && t.target_type === "tx_rate" ? t.config.direction : "to")`,
    false,
  ],
  [
    `const q = (t: S["Target"]) => (t.target_type === "native_balance" ? t.config.direction.length : 0)`,
    true,
  ],
  [`const r = (m: S["StreamMessage"]) => (m.event === "metric" ? m.data.value + 1 : 0)`, false],
  [`const s = (m: S["StreamMessage"]) => (m.event === "heartbeat" ? m.data.value + 1 : 0)`, true],
  [`const u = (e: S["AlertEvent"]) => e.explanation.samples?.map((one) => one.value)`, false],
  [`const v = (c: S["Channel"]) => (c.type === "webhook" ? c.config.url.length : 0)`, false],
];

test("generated types compile strictly, and a typo in a config is a type error", {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-types-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "schema.ts"), await apiTypes());
  const lines = statements.map(([text]) => `export ${text};`);
  const program = [
    `import type { components } from "./schema.ts";`,
    `type S = components["schemas"];`,
    ...lines,
  ];
  await writeFile(join(folder, "client.ts"), program.join("\n"));
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin/tsc",
  );
  const options = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--allowImportingTsExtensions"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [compiler, ...options, "--module", "nodenext", "--target", "es2024", "client.ts"],
    { cwd: folder },
  ).catch((failure: { stdout: string }) => failure);
  // Anything but errors at the lines of the program would be a failure of the compiler itself.
  expect(stdout).toMatch(/^client\.ts/);
  const found = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error/gm)].map(
    ([, file, line]) => `${file}:${line}`,
  );
  const expected = statements.flatMap(([, isError], index) => (isError ? [`client.ts:${index + 3}`] : []));
  expect([...new Set(found)]).toEqual(expected);
});

test("a generated client adds a contract, a rule and a channel, runs a fire drill and reads pages", async () => {
  const owner = await h.person();
  await h.setTier(owner.org_id, "enterprise");
  const { key } = await makeKey(owner);
  const baseUrl = await h.server.listen({ port: 0, host: "127.0.0.1" });
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  const contracts: string[] = [];
  for (let n = 0; n < 3; n++) {
    const body = { chain: "local" as const, address: freshAddress(), label: `Vault ${n}` };
    const { data } = await api.POST("/api/v1/contracts", { body });
    contracts.push(data?.id ?? "");
  }
  const path = { contract_id: contracts[0] ?? "" };
  const target = await api.POST("/api/v1/contracts/{contract_id}/targets", {
    params: { path },
    body: { target_type: "tx_rate", config: { direction: "to" } },
  });
  const channel = await api.POST("/api/v1/channels", {
    body: { type: "pagerduty", name: "Duty", config: { routing_key: "0".repeat(32) } },
  });
  const rule = await api.POST("/api/v1/alerts", {
    body: {
      target_id: target.data?.id ?? "",
      channel_id: channel.data?.id ?? "",
      severity: "critical",
      condition: { operator: "gt", threshold: 5 },
    },
  });
  const drill = await api.POST("/api/v1/alerts/{rule_id}/test", {
    params: { path: { rule_id: rule.data?.id ?? "" } },
  });
  expect(drill.data?.steps[0]?.recipients[0]?.outcome).toBe("notified");
  const page = await api.GET("/api/v1/contracts", { params: { query: { limit: 2, q: "vault" } } });
  expect(page.data?.map(({ id }) => id)).toEqual(contracts.slice(1).reverse());
  expect(page.response.headers.get("x-total-count")).toBe("3");
  const missing = await api.GET("/api/v1/alerts/{rule_id}", {
    params: { path: { rule_id: contracts[0] ?? "" } },
  });
  expect([missing.response.status, missing.data]).toEqual([404, undefined]);
});
