import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { recordEvent } from "../api/contracts/contract-steps.ts";
import { cloneDatabase, createEmptyDatabase, databaseUrl } from "../support/database.ts";
import { harness } from "../support/harness.ts";
import { casesOf, isLongRun, longTest } from "../support/run-size.ts";
import { end, makeDataFolder, run, serve, start } from "./service.ts";

const password = "correct horse battery staple";

async function post(url: string, path: string, body: object, cookie = ""): Promise<Response> {
  const headers = { "content-type": "application/json", origin: url, cookie };
  return fetch(`${url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

const get = (url: string, path: string, cookie: string) =>
  fetch(`${url}/api/v1${path}`, { headers: { cookie } });

const database = await cloneDatabase();

/** The settings of a service that most tests share. Its database is on the test server, so that a command need not start one. */
const env = {
  DATA_DIR: await makeDataFolder({ isInitialised: false, isShared: true }),
  DATABASE_URL: databaseUrl(database),
  RPC_LOCAL: "http://127.0.0.1:1",
};
const shared = await serve({ ...env, ROLES: "api" }, { isShared: true });

longTest("`tocsin org tier` works beside a running service and without one", async () => {
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

test("`tocsin migrate` runs no migration of a current database", async () => {
  expect((await run(["migrate"], env)).output).toBe("The database is up to date.\n");
});

longTest("`tocsin migrate` names the migrations that it ran", async () => {
  const DATABASE_URL = databaseUrl(await createEmptyDatabase());
  expect((await run(["migrate"], { DATABASE_URL })).output).toMatch(/^Migrated: 0001_accounts, /);
});

longTest("`tocsin openapi` needs no database", async () => {
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

longTest(
  "`tocsin plan` and `tocsin apply` take secrets from the environment, and an export applies without a change",
  async () => {
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
    expect(parse(out.output)).toMatchObject({
      version: 1,
      contracts: [{ targets: [{ rules: [{ name: "Busy" }] }] }],
    });
    await writeFile(file, out.output);
    const again = await run(["apply", file, "--prune"], env);
    expect(again).toEqual({ code: 0, output: "Nothing was changed; 4 unchanged.\n" });
    if (isLongRun)
      expect((await run(["export", "--json"], env)).output).toBe(
        `${JSON.stringify(parse(out.output), null, 2)}\n`,
      );
  },
);

test("`tocsin export`, `plan`, `apply`, `contracts`, `drill` and `events tail` need no database with TOCSIN_URL and TOCSIN_API_KEY", async () => {
  const { cookie, org_id } = await signUp("grace@example.com");
  await run(["org", "tier", org_id, "enterprise"], env);
  const made = await post(shared.url, "/api-keys", { name: "CI" }, cookie);
  const { key } = (await made.json()) as { key: string };
  const remote = {
    TOCSIN_URL: shared.url,
    TOCSIN_API_KEY: key,
    CHANNEL_ON_CALL_WEBHOOK_URL: "https://hooks.slack.com/services/T0/B0/hush",
  };
  const file = join(env.DATA_DIR, "remote.yaml");
  await writeFile(file, yamlDocument);

  const planned = await run(["plan", file], remote);
  expect(planned).toMatchObject({ code: 2, output: expect.stringMatching(/^\+ channel On-call$/m) });
  expect(await run(["apply", file, "--yes"], remote)).toMatchObject({ code: 0 });
  if (isLongRun)
    expect(await run(["plan", file], remote)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Nothing would be changed/),
    });
  await writeFile(file, yamlDocument.replace("severity: warning", "severity: critical"));
  const changed = await run(["plan", file], remote);
  expect(changed).toMatchObject({
    code: 2,
    output: expect.stringContaining('    severity: "warning" -> "critical"'),
  });
  expect(parse((await run(["export"], remote)).output).channels).toMatchObject([{ name: "On-call" }]);
  expect((await run(["contracts"], remote)).output).toMatch(/^local {2}0x[0-9a-fA-F]{40} {2}\w+/);
  const [rule] = (await (await get(shared.url, "/alerts", cookie)).json()) as { id: string }[];
  const drill = await run(["drill", rule?.id ?? ""], remote);
  expect(drill).toEqual({ code: 0, output: "At once:\n  On-call (slack): notified\n" });
  await expectTail(remote, org_id);

  const refused = await run(["export"], { ...remote, TOCSIN_API_KEY: "tocsin_wrong" });
  expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/TOCSIN_API_KEY is not accepted/) });
});

longTest("a command for another service says what it needs to reach it", async () => {
  const away = await run(["export"], { TOCSIN_URL: "http://127.0.0.1:1", TOCSIN_API_KEY: "tocsin_wrong" });
  expect(away).toMatchObject({
    code: 1,
    output: expect.stringMatching(/http:\/\/127\.0\.0\.1:1 cannot be reached: /),
  });
  expect((await run(["contracts"], {})).output).toMatch(/Set TOCSIN_URL to the address of a service/);
});

/** The command prints the ten newest alerts and each later one once, and continues until it is stopped. */
async function expectTail(remote: Record<string, string>, org_id: string): Promise<void> {
  const h = await harness({ address: database });
  for (let old = 1; old <= 10; old++) await recordEvent(h, org_id, {}, { message: `Old event ${old}.` });
  await recordEvent(h, org_id, {}, { message: "The first one." });
  const { child, output } = start(["events", "tail"], remote);
  onTestFinished(() => void child.kill("SIGKILL"));
  await expect.poll(output).toMatch(/^\d{4}-\S+ {2}critical {2}firing {5}The first one\.$/m);
  await recordEvent(h, org_id, {}, { message: "The second one." });
  await expect.poll(output).toMatch(/The second one\.$/m);
  expect(output().match(/The first one/g)).toHaveLength(1);
  expect(output().match(/Old event/g)).toHaveLength(9);
}

async function signUp(email: string): Promise<{ cookie: string; org_id: string }> {
  const reply = await post(shared.url, "/auth/signup", { email, password });
  const { active_org_id } = (await reply.json()) as { active_org_id: string };
  return {
    cookie: reply.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; "),
    org_id: active_org_id,
  };
}

const wrongLines: [args: string[], code: number, said: string][] = [
  [["fly"], 64, "unknown command fly"],
  [["staff", "create"], 64, "Usage:"],
  [[], 0, "Usage: tocsin"],
  [["org", "tier", "x", "gold"], 64, "gold is not a tier"],
  [["chain", "skip", "nowhere", "--to", "5"], 64, "there is no chain nowhere"],
  [["chain", "skip", "local", "--to", "far"], 64, "expected --to"],
];
test("a wrong command line exits with 64 and a sentence or the usage", async () => {
  const lines = casesOf(wrongLines, (_, index) => index < 3);
  const results = await Promise.all(lines.map(([args]) => run(args, {})));
  const expected = lines.map(([, code, said]) => ({ code, output: expect.stringContaining(said) }));
  expect(results).toMatchObject(expected);
});
