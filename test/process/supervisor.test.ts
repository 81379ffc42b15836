import { readFile } from "node:fs/promises";
import pg from "pg";
import type { Hex } from "viem";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { findProcess } from "../../src/lib/process/process-info.ts";
import { providerTimeoutMs, stopDeadlines } from "../../src/lib/process/stop-deadlines.ts";
import { processesOf } from "../../src/supervisor.ts";
import { startNode } from "../chain/node.ts";
import { Sink } from "../delivery/sink.ts";
import { cloneDatabase, databaseUrl } from "../support/database.ts";
import { longTest, runSize } from "../support/run-size.ts";
import { pidOf, rolesOf } from "./role-processes.ts";
import { end, makeDataFolder, serve } from "./service.ts";

const account = { email: "ada@example.com", password: "correct horse battery staple" };
const metricsToken = "a token for the metrics";
const names = ["tocsin api", "tocsin deliver+jobs", "tocsin ingest"];

/** A service of several processes, with a signed-in user. */
async function start(env: Record<string, string> = {}, { isShared = false } = {}) {
  const DATA_DIR = await makeDataFolder({ isInitialised: !env.DATABASE_URL, isShared });
  const settings = { DATA_DIR, PROCESSES: "roles", METRICS_TOKEN: metricsToken, ...env };
  const service = await serve(settings, { isShared });
  const headers: Record<string, string> = { "content-type": "application/json", origin: service.url };
  const call = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const reply = await fetch(`${service.url}/api/v1${path}`, init);
    headers.cookie ??= reply.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ");
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as { id: string };
  };
  return { service, call };
}

const node = await startNode();
const database = await cloneDatabase();
/** The service that two tests share. The second one stops it. */
const { service, call } = await start(
  {
    RPC_LOCAL: node.url,
    OUTBOUND_ALLOW: "127.0.0.0/8",
    DATABASE_URL: databaseUrl(database),
    SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
  },
  { isShared: true },
);

/** How long the receiver of a message waits after the signal. The long value is more than any other part of a stop takes. */
const holdMs = runSize("STOP_HOLD_MS", { short: 500, long: 8_000 });

test("a process that dies is started again and reported, and the others continue", async () => {
  const before = await rolesOf(service);
  expect([...before.keys()].toSorted()).toEqual(names);
  process.kill(await pidOf(service, "tocsin ingest"), "SIGKILL");
  await expect.poll(() => service.output()).toContain('"msg":"process ended, restarting"');
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  await expect.poll(async () => [...(await rolesOf(service)).keys()].toSorted()).toEqual(names);
  const after = await rolesOf(service);
  expect(after.get("tocsin ingest")).not.toBe(before.get("tocsin ingest"));
  expect(after.get("tocsin api")).toBe(before.get("tocsin api"));

  const metrics = async () => {
    const reply = await fetch(`${service.url}/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}` },
    });
    return reply.text();
  };
  for (const name of ["api", "ingest", "deliver\\+jobs"]) {
    const line = new RegExp(`^nodejs_eventloop_lag_p99_seconds\\{process="${name}"\\} \\d`, "m");
    await expect.poll(metrics).toMatch(line);
  }
  expect(await metrics()).toMatch(/^tocsin_worker_tasks\{state="queued",process="api"\} 0$/m);
});

/** Freezes the API process while it has changed a rule and not committed the change, so that it holds locks. */
async function freezeInChange(api: number, rule_id: string, client: pg.Client) {
  await client.query("begin; lock table audit_log in share mode");
  const change = call("PATCH", `/alerts/${rule_id}`, { severity: "warning" });
  const waiting = `
    select from pg_locks waiting join pg_locks held using (pid)
    where waiting.relation = 'audit_log'::regclass and not waiting.granted
      and held.relation = 'alert_rules'::regclass and held.mode = 'RowExclusiveLock'`;
  await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
  process.kill(api, "SIGSTOP");
  await client.query("rollback");
  return { change };
}

test("a transaction reaches its webhook while the API process is frozen, and a stop waits for the message being sent", async () => {
  const sink = await Sink.start();
  const answer = Promise.withResolvers<number>();
  sink.on("/", () => answer.promise);
  await call("POST", "/auth/signup", account);
  const token = await node.deploy("Token", 1_000n);
  const contract = await call("POST", "/contracts", {
    chain: "local",
    address: token.address,
    selected_targets: [{ target_type: "tx_rate" }],
  });
  const [{ id: target_id } = { id: "" }] = (await call(
    "GET",
    `/contracts/${contract.id}/targets`,
  )) as unknown as { id: string }[];
  const channel = { type: "webhook", name: "On-call", config: { url: sink.url() } };
  const { id: channel_id } = await call("POST", "/channels", channel);
  const condition = { operator: "gte", threshold: 1, window_seconds: 3600 };
  const rule = await call("POST", "/alerts", { target_id, channel_id, severity: "critical", condition });

  const api = await pidOf(service, "tocsin api");
  const client = new pg.Client({ connectionString: databaseUrl(database) });
  await client.connect();
  const { change } = await freezeInChange(api, rule.id, client);
  const { transactionHash } = await token.send("transfer", [node.accounts[1] as Hex, 1n]);
  await expect
    .poll(() => sink.received.map(({ body }) => JSON.stringify(body)).join())
    .toContain(transactionHash);
  expect((await findProcess(api))?.parent).toBe(service.child.pid);
  process.kill(api, "SIGCONT");
  // The deadline of the request may have passed.
  await Promise.allSettled([change]);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);

  const roles = await rolesOf(service);
  const ended = end(service, "SIGTERM");
  await expect.poll(() => findProcess(api)).toBeUndefined();
  await systemClock.sleep(holdMs);
  answer.resolve(200);
  expect(await ended).toEqual({ code: 0, signal: null });
  for (const pid of roles.values()) expect(await findProcess(pid)).toBeUndefined();
  expect(sink.received).toHaveLength(1);
  const { rows } = await client.query("select status, attempts from deliveries");
  await client.end();
  expect(rows).toEqual([{ status: "sent", attempts: 1 }]);
});

test("each level of a shutdown waits longer than the one inside it", async () => {
  const { drainMs, roleMs, killMs, serviceMs } = stopDeadlines;
  expect([providerTimeoutMs, drainMs, roleMs, killMs]).toEqual(
    [providerTimeoutMs, drainMs, roleMs, killMs].toSorted((a, b) => a - b),
  );
  const processes = processesOf(parseConfig({})).length;
  expect(serviceMs).toBeGreaterThan(processes * killMs);
  const grace = /stop_grace_period: (\d+)s/.exec(await readFile("compose.yaml", "utf8"))?.[1];
  expect(Number(grace) * 1000).toBeGreaterThan(serviceMs);
});

longTest("no process outlives the supervisor", async () => {
  const { service } = await start();
  const roles = await rolesOf(service);
  expect([...roles.keys()].toSorted()).toEqual(names);
  await end(service, "SIGKILL");
  for (const pid of roles.values()) await expect.poll(() => findProcess(pid)).toBeUndefined();
});
