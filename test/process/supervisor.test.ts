import { readdir } from "node:fs/promises";
import type { Hex } from "viem";
import { expect, test } from "vitest";
import { findProcess } from "../../src/lib/process/process-info.ts";
import { startNode } from "../chain/node.ts";
import { Sink } from "../delivery/sink.ts";
import { end, makeDataFolder, type Running, serve } from "./service.ts";

const account = { email: "ada@example.com", password: "correct horse battery staple" };
const metricsToken = "a token for the metrics";
const names = ["tocsin api", "tocsin deliver+jobs", "tocsin ingest"];

/** A service of several processes, with a signed-in user. */
async function start(env: Record<string, string> = {}) {
  const DATA_DIR = await makeDataFolder();
  const service = await serve({ DATA_DIR, PROCESSES: "roles", METRICS_TOKEN: metricsToken, ...env });
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
  return { service, call, DATA_DIR };
}

/** The processes of the roles by name. */
async function rolesOf({ child }: Running): Promise<Map<string, number>> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ({ pid, about: await findProcess(pid) })));
  const isRole = (about: Awaited<ReturnType<typeof findProcess>>) =>
    about?.parent === child.pid && about?.command.startsWith("tocsin ");
  const own = found.filter(({ about }) => isRole(about));
  return new Map(own.map(({ pid, about }) => [about?.command.trim() ?? "", pid]));
}

async function pidOf(service: Running, name: string): Promise<number> {
  return (await rolesOf(service)).get(name) ?? expect.fail(`there is no process ${name}`);
}

test("a transaction reaches its webhook while the API process is frozen, and no process outlives the supervisor", async () => {
  const node = await startNode();
  const sink = await Sink.start();
  const { service, call } = await start({ RPC_LOCAL: node.url, OUTBOUND_ALLOW: "127.0.0.0/8" });
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
  await call("POST", "/alerts", { target_id, channel_id, severity: "critical", condition });

  const api = await pidOf(service, "tocsin api");
  process.kill(api, "SIGSTOP");
  const { transactionHash } = await token.send("transfer", [node.accounts[1] as Hex, 1n]);
  await expect
    .poll(() => sink.received.map(({ body }) => JSON.stringify(body)).join())
    .toContain(transactionHash);
  expect((await findProcess(api))?.parent).toBe(service.child.pid);
  process.kill(api, "SIGCONT");
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  // Without the supervisor no process remains.
  const roles = await rolesOf(service);
  await end(service, "SIGKILL");
  for (const pid of roles.values()) await expect.poll(() => findProcess(pid)).toBeUndefined();
});

test("a process that dies is started again and reported, the others continue, and a signal stops all of them", async () => {
  const { service } = await start();
  const before = await rolesOf(service);
  expect([...before.keys()].toSorted()).toEqual(names);
  process.kill(await pidOf(service, "tocsin ingest"), "SIGKILL");
  await expect.poll(() => service.output()).toContain('"msg":"process ended; restarting"');
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
    const line = new RegExp(`^tocsin_nodejs_eventloop_lag_p99_seconds\\{process="${name}"\\} \\d`, "m");
    await expect.poll(metrics).toMatch(line);
  }
  expect(await metrics()).toMatch(/^tocsin_worker_tasks\{state="queued",process="api"\} 0$/m);

  expect(await end(service, "SIGINT")).toEqual({ code: 0, signal: null });
  for (const pid of after.values()) expect(await findProcess(pid)).toBeUndefined();
});
