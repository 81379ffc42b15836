import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBundle } from "../../scripts/bundle.mjs";
import { parseConfig } from "../../src/config.ts";
import { systemCaller } from "../../src/domain/caller.ts";
import { changeAnyOrg } from "../../src/domain/orgs/platform.ts";
import { withApp } from "../../src/main.ts";
import { type Attacker, startAttacker } from "./hostile-sender.ts";
import { fillOrg } from "./large-org.ts";
import { type Phase, printPhases, readProcesses } from "./report.ts";

const rounds = Number(process.env.BENCH_ROUNDS ?? 6);
const [quietMs, attackMs] = [3_000, 4_000];
const metricsToken = "bench-metrics-token";

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
    await fillOrg(service.url, hostile.cookie);
    for (const attack of ["bodies", "reads"] as const) {
      if (process.env.BENCH_ATTACK && process.env.BENCH_ATTACK !== attack) continue;
      const attacker = await startAttacker(service.url, hostile.cookie, attack);
      await compareRounds(service.url, victim.cookie, attacker);
      attacker.end();
    }
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}

/** Alternates quiet and attacked rounds, so that other load affects both. */
async function compareRounds(url: string, cookie: string, attacker: Attacker): Promise<void> {
  const quiet: Phase = { name: "quiet", rounds: [] };
  const attacked: Phase = { name: "attacked", rounds: [] };
  await measure(url, cookie, 2_000);
  // The first attack starts the worker threads.
  attacker.begin();
  await measure(url, cookie, 2_000);
  await attacker.pause();
  for (let round = 0; round < rounds; round++) {
    quiet.rounds.push(await measureRound(url, cookie, quietMs));
    attacker.begin();
    attacked.rounds.push(await measureRound(url, cookie, attackMs));
    await attacker.pause();
  }
  const { sent, statuses } = await attacker.report();
  console.log(`${sent} hostile requests: ${statuses}; load of the machine ${loadavg()[0]?.toFixed(1)}`);
  printPhases(quiet, attacked);
}

async function measureRound(url: string, cookie: string, forMs: number) {
  const before = await readProcesses(url, metricsToken);
  const replies = await measure(url, cookie, forMs);
  return { ...replies, before, after: await readProcesses(url, metricsToken) };
}

const paths = ["/contracts", "/alerts", "/alerts/history", "/dashboard/stats", "/channels", "/auth/me"];

/** Sends ordinary requests one after another. Returns their durations in milliseconds and how many failed, by status. */
async function measure(url: string, cookie: string, forMs: number) {
  const times: number[] = [];
  const failures: string[] = [];
  const startedAt = performance.now();
  for (let turn = 0; performance.now() < startedAt + forMs; turn++) {
    const path = paths[turn % paths.length];
    const started = performance.now();
    const reply = await fetch(`${url}/api/v1${path}`, { headers: { cookie } });
    const text = await reply.text();
    times.push(performance.now() - started);
    if (!reply.ok) failures.push(`${reply.status} ${path}: ${text.slice(0, 200)}`);
  }
  return { times, failures };
}

/** Starts the bundle, as `npm start` does, and waits until it says where it listens. */
async function startServe(env: Record<string, string>) {
  const bundle = await ensureBundle(fileURLToPath(new URL("../..", import.meta.url)));
  const { PATH, NODE_OPTIONS } = process.env;
  const child = spawn(process.execPath, [join(bundle, "src/cli/index.js"), "serve"], {
    cwd: env.DATA_DIR,
    env: { PATH, ...(NODE_OPTIONS && { NODE_OPTIONS }), ...env },
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
    // What the service reports while it is attacked.
    if (process.env.BENCH_LOG) console.log(output);
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
