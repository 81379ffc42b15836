import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cloneDatabase, createEmptyDatabase, databaseUrl } from "../support/database.ts";
import { end, makeDataFolder, run, serve } from "./service.ts";

const password = "correct horse battery staple";

async function post(url: string, path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** The settings of a service that most tests share. Its database is on the test server, so that a command need not start one. */
const env = {
  DATA_DIR: await makeDataFolder({ isInitialised: false, isShared: true }),
  DATABASE_URL: databaseUrl(await cloneDatabase()),
  RPC_LOCAL: "http://127.0.0.1:1",
};
const shared = await serve({ ...env, ROLES: "api" }, { isShared: true });

test("`tocsin org tier` works beside a running service and without one", async () => {
  const DATA_DIR = await makeDataFolder();
  const service = await serve({ DATA_DIR });
  await post(service.url, "/auth/signup", { email: "ada@example.com", password });

  const raised = await run(["org", "tier", "ada@example.com", "team"], { DATA_DIR });
  expect(raised.output).toMatch(/is now on the tier team/);
  await end(service, "SIGINT");

  const alone = await run(["org", "tier", "ada@example.com", "pro"], { DATA_DIR });
  expect(alone).toMatchObject({ code: 0, output: expect.stringMatching(/is now on the tier pro/) });
});

test("`tocsin staff create` makes an account with the password from standard input, or with a generated one", async () => {
  const [given, generated] = await Promise.all([
    run(["staff", "create", "root@example.com", "--password-stdin"], env, `${password}\n`),
    run(["staff", "create", "ops@example.com"], env),
  ]);
  expect(given).toEqual({ code: 0, output: "Staff account root@example.com created.\n" });
  const login = (email: string, secret: string | undefined) =>
    post(shared.url, "/admin/login", { email, password: secret });
  expect((await login("root@example.com", password)).status).toBe(200);
  const shown = /shown only once\): (\S+)/.exec(generated.output)?.[1];
  expect((await login("ops@example.com", shown)).status).toBe(200);
});

test("`tocsin migrate` names the migrations that it ran, and runs none the second time", async () => {
  const DATABASE_URL = databaseUrl(await createEmptyDatabase());
  expect((await run(["migrate"], { DATABASE_URL })).output).toMatch(/^Migrated: 0001_accounts, /);
  expect((await run(["migrate"], { DATABASE_URL })).output).toBe("The database is up to date.\n");
});

test("`tocsin openapi` needs no database", async () => {
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

test("`tocsin plan` and `tocsin apply` take secrets from the environment, and an export applies without a change", async () => {
  const CHANNEL_ON_CALL_WEBHOOK_URL = "https://hooks.slack.com/services/T0/B0/hush";
  await post(shared.url, "/auth/signup", { email: "ada@example.com", password });
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
  expect(again).toEqual({ code: 0, output: "0 were created, 0 changed, 0 deleted; 4 unchanged.\n" });
});

test("a wrong command line exits with 2 and a sentence or the usage", async () => {
  const [unknown, wrongTier, missing, noChain, noHeight, none] = await Promise.all([
    run(["fly"], {}),
    run(["org", "tier", "x", "gold"], {}),
    run(["staff", "create"], {}),
    run(["chain", "skip", "nowhere", "--to", "5"], {}),
    run(["chain", "skip", "local", "--to", "far"], {}),
    run([], {}),
  ]);
  expect(unknown).toMatchObject({ code: 2, output: expect.stringContaining("unknown command fly") });
  expect(wrongTier).toMatchObject({ code: 2 });
  expect(missing).toMatchObject({ code: 2, output: expect.stringContaining("Usage:") });
  expect(noChain).toMatchObject({ code: 2, output: expect.stringContaining("there is no chain nowhere") });
  expect(noHeight).toMatchObject({ code: 2, output: expect.stringContaining("expected --to") });
  expect(none).toMatchObject({ code: 0, output: expect.stringContaining("Usage: tocsin") });
});
