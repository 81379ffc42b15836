import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { parseConfig } from "../src/config.ts";
import { systemCaller } from "../src/domain/caller.ts";
import { changeAnyOrg } from "../src/domain/orgs/platform.ts";
import { SchemaBook } from "../src/http/openapi/schema-book.ts";
import type { Operation } from "../src/http/operation.ts";
import { operations } from "../src/http/routes/index.ts";
import { withApp } from "../src/main.ts";
import { hostileBodies } from "../test/hostile/bodies.ts";

const rounds = 3;
const [quietMs, attackMs] = [4_500, 7_000];
/** The p99 under attack relative to quiet. */
const maxRatio = 3;
const metricsToken = "bench-metrics-token";
const connections = 4;
/** One of how many hostile bodies is prepared, so that they fit into memory. */
const everyNthBody = 61;

/** Requests of one org, alone and while another org sends the largest hostile bodies, to a service as `npm start` runs it. */
export async function benchIsolation(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-bench-"));
  const env = {
    ...{ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "error", METRICS_TOKEN: metricsToken },
    ...{ RPC_LOCAL: "http://127.0.0.1:1", SOURCIFY_URL: "http://127.0.0.1:1" },
  };
  const service = await startServe(env);
  try {
    const [victim, hostile] = [await signUp(service.url, "victim"), await signUp(service.url, "hostile")];
    for (const { org_id } of [victim, hostile])
      await withApp(parseConfig(env), (app) =>
        changeAnyOrg(app, systemCaller, org_id, { tier: "enterprise" }),
      );
    const attacker = await startAttacker(service.url, hostile.cookie);
    await compareRounds(service.url, victim.cookie, attacker);
    await attacker.end();
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}

/** Alternates quiet and attacked rounds, so that other load affects both. */
async function compareRounds(url: string, cookie: string, attacker: Attacker): Promise<void> {
  const times: Record<"quiet" | "attacked", number[]> = { quiet: [], attacked: [] };
  const delays = new Map<string, number>();
  await measure(url, cookie, 2_000);
  await longestDelays(url);
  for (let round = 0; round < rounds; round++) {
    times.quiet.push(...(await measure(url, cookie, quietMs)));
    await longestDelays(url);
    attacker.begin();
    times.attacked.push(...(await measure(url, cookie, attackMs)));
    await attacker.pause();
    for (const [name, seconds] of await longestDelays(url))
      delays.set(name, Math.max(delays.get(name) ?? 0, seconds));
  }
  const { sent, statuses } = await attacker.report();
  console.log(`${sent} hostile bodies: ${statuses}; load of the machine ${loadavg()[0]?.toFixed(1)}`);
  for (const [name, list] of Object.entries(times))
    console.log(
      `${name}: ${list.length} requests, p50 ${part(list, 0.5).toFixed(1)} ms, p99 ${part(list, 0.99).toFixed(1)} ms`,
    );
  const ratio = part(times.attacked, 0.99) / part(times.quiet, 0.99);
  console.log(
    `p99 under attack is ${ratio.toFixed(1)} times that of quiet: ${ratio <= maxRatio ? "isolated" : "TOO SLOW"}`,
  );
  for (const [name, seconds] of delays)
    console.log(`longest event loop delay of ${name}: ${(seconds * 1000).toFixed(0)} ms`);
}

function part(times: number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}

const paths = ["/contracts", "/alerts", "/alerts/history", "/dashboard/stats", "/channels", "/auth/me"];

/** Sends ordinary requests one after another and returns their durations in milliseconds. */
async function measure(url: string, cookie: string, forMs: number): Promise<number[]> {
  const spent: number[] = [];
  const end = performance.now() + forMs;
  for (let turn = 0; performance.now() < end; turn++) {
    const started = performance.now();
    const reply = await fetch(`${url}/api/v1${paths[turn % paths.length]}`, { headers: { cookie } });
    await reply.text();
    if (!reply.ok) throw new Error(`a request of the other org was answered with ${reply.status}`);
    spent.push(performance.now() - started);
  }
  return spent;
}

/** The longest event loop delay of each process since the previous call, in seconds. */
async function longestDelays(url: string): Promise<Map<string, number>> {
  const reply = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const lines = (await reply.text()).matchAll(
    /^tocsin_nodejs_eventloop_lag_max_seconds\{process="([^"]+)"\} (\S+)/gm,
  );
  return new Map([...lines].map(([, name = "", seconds]) => [name, Number(seconds)]));
}

/** Starts the real command and waits until it says where it listens. */
async function startServe(env: Record<string, string>) {
  const entry = fileURLToPath(new URL("../src/cli/index.ts", import.meta.url));
  const child = spawn(process.execPath, [entry, "serve"], {
    cwd: env.DATA_DIR,
    env: { PATH: process.env.PATH, ...env },
  });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const found = /listens on (\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}: ${output}`)));
  });
  const stop = async () => {
    const exit = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGTERM")) await exit;
  };
  return { url, stop };
}

async function signUp(url: string, name: string): Promise<{ cookie: string; org_id: string }> {
  const reply = await fetch(`${url}/api/v1/auth/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: `${name}@example.com`, password: "correct horse battery staple" }),
  });
  if (!reply.ok) throw new Error(await reply.text());
  const { active_org_id } = (await reply.json()) as { active_org_id: string };
  return { cookie: reply.headers.get("set-cookie")?.split(";")[0] ?? "", org_id: active_org_id };
}

type Attacker = Awaited<ReturnType<typeof startAttacker>>;
type Report = { sent: number; statuses: string };

/** The hostile org sends from a thread of its own, so that it does not delay the measurement. */
async function startAttacker(url: string, cookie: string) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, cookie } });
  const ask = async (message: "begin" | "pause" | "report") => {
    worker.postMessage(message);
    return (await once(worker, "message"))[0] as Report;
  };
  await once(worker, "message");
  return {
    begin: () => worker.postMessage("begin"),
    pause: () => ask("pause"),
    report: () => ask("report"),
    end: () => worker.terminate(),
  };
}

type Hostile = { method: string; path: string; type: string; bytes: Buffer };

function attack({ url, cookie }: { url: string; cookie: string }): void {
  const bodies = operations.filter(({ body, isStream }) => body && !isStream).flatMap(bodiesFor);
  const statuses = new Map<number, number>();
  let [isActive, next] = [false, 0];
  let running: Promise<void>[] = [];
  const send = async () => {
    while (isActive) {
      const one = bodies[next++ % bodies.length];
      if (!one) return;
      const headers = { cookie, origin: url, "content-type": one.type };
      const body = new Uint8Array(one.bytes);
      const reply = await fetch(`${url}/api/v1${one.path}`, { method: one.method, headers, body });
      await reply.arrayBuffer();
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    }
  };
  parentPort?.on("message", async (message: "begin" | "pause" | "report") => {
    isActive = message === "begin";
    if (isActive) {
      running = Array.from({ length: connections }, send);
      return;
    }
    await Promise.all(running);
    const listed = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
    parentPort?.postMessage({ sent: next, statuses: listed } satisfies Report);
  });
  parentPort?.postMessage("ready");
}

function bodiesFor(operation: Operation, place: number): Hostile[] {
  // Signing out would end the attack.
  if (!operation.body || operation.path.startsWith("/admin") || operation.id === "logOut") return [];
  const book = new SchemaBook();
  const example = book.exampleOf(book.add(operation.body, "input"));
  const { bodyBytes = 1024 * 1024, bodyValues = 10_000 } = operation.limits;
  const path = operation.path.replace(/\{\w+\}/g, "019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42");
  const { method, hook } = operation;
  return [...hostileBodies(example, { size: bodyBytes - 2_000, values: bodyValues })]
    .filter((_, index) => index % everyNthBody === place % everyNthBody)
    .map((body) => ({ method, path, type: hook?.takes ?? "application/json", bytes: body.bytes() }));
}

if (!isMainThread && parentPort) attack(workerData as { url: string; cookie: string });
