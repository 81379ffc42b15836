import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { end, makeDataFolder, run, serve } from "./service.ts";

const password = "correct horse battery staple";

async function post(url: string, path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

test("makes staff and sets tiers beside a running service, and without one", async () => {
  const DATA_DIR = await makeDataFolder();
  const service = await serve({ DATA_DIR });
  await post(service.url, "/auth/signup", { email: "ada@example.com", password });

  const made = await run(
    ["staff", "create", "root@example.com", "--password-stdin"],
    { DATA_DIR },
    `${password}\n`,
  );
  expect(made).toEqual({ code: 0, output: "Staff account root@example.com made.\n" });
  expect((await post(service.url, "/admin/login", { email: "root@example.com", password })).status).toBe(200);

  const raised = await run(["org", "tier", "ada@example.com", "team"], { DATA_DIR });
  expect(raised.output).toMatch(/is on the tier team now/);
  await end(service, "SIGINT");

  const alone = await run(["org", "tier", "ada@example.com", "pro"], { DATA_DIR });
  expect(alone).toMatchObject({ code: 0, output: expect.stringMatching(/is on the tier pro now/) });
});

test("prints a password that it made up when none is given, and it works", async () => {
  const DATA_DIR = await makeDataFolder();
  const { output } = await run(["staff", "create", "root@example.com"], { DATA_DIR });
  const given = /shown only now: (\S+)/.exec(output)?.[1];
  const service = await serve({ DATA_DIR });
  const reply = await post(service.url, "/admin/login", { email: "root@example.com", password: given });
  expect(reply.status).toBe(200);
});

test("migrates once and says so", async () => {
  const DATA_DIR = await makeDataFolder();
  expect((await run(["migrate"], { DATA_DIR })).output).toMatch(/^Done: 0001_accounts, /);
  expect((await run(["migrate"], { DATA_DIR })).output).toBe("The database is up to date.\n");
});

test("the doctor shows settings with secrets masked and finds what is wrong", async () => {
  const DATA_DIR = await makeDataFolder();
  const env = { DATA_DIR, METRICS_TOKEN: "a-secret-of-mine-0001", SMTP_URL: "smtp://me:hush@127.0.0.1:2525" };
  const well = await run(["doctor"], env);
  expect(well.code).toBe(0);
  expect(well.output).toMatch(/METRICS_TOKEN +\(set\)/);
  expect(well.output).not.toMatch(/a-secret-of-mine|hush/);
  expect(well.output).toMatch(/ok +Database: PostgreSQL 18/);

  const ill = await run(["doctor"], { ...env, DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
  expect(ill.code).toBe(1);
  expect(ill.output).toMatch(/FAIL +Database/);
});

test("prints the OpenAPI description without a database", async () => {
  const { code, output } = await run(["openapi"], {});
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ openapi: "3.1.0", info: { version: "0.4.0" } });
});

const yamlDocument = `
version: 1
channels:
  - name: On-call
    type: slack
    config: { webhook_url: { $secret: CHANNEL_ON_CALL_WEBHOOK_URL } }
contracts:
  - chain: local
    address: "0x5FbDB2315678afecb367f032d93F642f64180aa3"
    targets:
      - target_type: tx_rate
        rules:
          - { name: Busy, severity: warning, condition: { operator: gt, threshold: 100 }, channels: [On-call] }
`;

test("plans and applies a document with secrets from the environment, and exports what changes nothing", async () => {
  const env = { DATA_DIR: await makeDataFolder(), RPC_LOCAL: "http://127.0.0.1:1" };
  const CHANNEL_ON_CALL_WEBHOOK_URL = "https://hooks.slack.com/services/T0/B0/hush";
  const service = await serve(env);
  await post(service.url, "/auth/signup", { email: "ada@example.com", password });
  const file = join(env.DATA_DIR, "config.yaml");
  await writeFile(file, yamlDocument);

  const without = await run(["plan", file], env);
  expect(without.code).toBe(1);
  expect(without.output).toContain("needs the secret CHANNEL_ON_CALL_WEBHOOK_URL");

  const applied = await run(["apply", file, "--org", "ada@example.com"], {
    ...env,
    CHANNEL_ON_CALL_WEBHOOK_URL,
  });
  expect(applied).toMatchObject({ code: 0, output: expect.stringMatching(/^\+ channel On-call$/m) });
  expect(applied.output).not.toContain("hush");

  const out = await run(["export"], env);
  expect(JSON.parse(out.output)).toMatchObject({
    version: 1,
    contracts: [{ targets: [{ rules: [{ name: "Busy" }] }] }],
  });
  await writeFile(file, out.output);
  const again = await run(["apply", file, "--prune"], env);
  expect(again).toEqual({ code: 0, output: "0 were made, 0 changed, 0 deleted; 4 unchanged.\n" });
});

test("explains itself when asked wrongly", async () => {
  expect(await run(["fly"], {})).toMatchObject({
    code: 2,
    output: expect.stringContaining("no command fly"),
  });
  expect(await run(["org", "tier", "x", "gold"], {})).toMatchObject({ code: 2 });
  expect(await run(["staff", "create"], {})).toMatchObject({
    code: 2,
    output: expect.stringContaining("Usage:"),
  });
  expect(await run([], {})).toMatchObject({ code: 0, output: expect.stringContaining("Usage: tocsin") });
});
