import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../../src/config.ts";
import { systemCaller } from "../../src/domain/caller.ts";
import { changeAnyOrg } from "../../src/domain/orgs/platform.ts";
import { startService, withApp } from "../../src/main.ts";
import { signUp } from "../compare.ts";
import type { Order } from "./client.ts";

const streams = Number(process.env.BENCH_STREAMS ?? 10_000);
const perKey = 20;
const rounds = 5;

/** Many open streams of one org: memory per stream, and the time until one event reaches all. */
export async function benchStreams(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-bench-"));
  const env = {
    DATA_DIR: folder,
    PORT: "0",
    LOG_LEVEL: "warn",
    ROLES: "api,jobs",
    RPC_LOCAL: "http://127.0.0.1:1",
  };
  const config = parseConfig(env);
  const service = await startService(config);
  const clients = fork(join(import.meta.dirname, "client.ts"));
  try {
    const { send, org_id } = await signIn(service.url);
    await withApp(config, (app) => changeAnyOrg(app, systemCaller, org_id, { tier: "enterprise" }));
    const address = `0x${"1".repeat(40)}`;
    const { id } = await send("POST", "/contracts", { chain: "local", address });
    const keys: string[] = [];
    for (let n = 0; n * perKey < streams; n++)
      keys.push((await send("POST", "/api-keys", { name: `${n}` })).key ?? "");
    const before = resident();
    const opened = said(clients);
    clients.send({
      port: Number(new URL(service.url).port),
      keys,
      streams,
      at: "contract.updated",
    } satisfies Order);
    console.log(`${(await opened).open} streams are open`);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    console.log(`${((resident() - before) / streams / 1024).toFixed(1)} KiB of memory each`);
    for (let round = 1; round <= rounds; round++) {
      const heard = said(clients);
      const started = performance.timeOrigin + performance.now();
      await send("PATCH", `/contracts/${id}`, { label: `Round ${round}` });
      const times = ((await heard).heard ?? []).sort((a, b) => a - b);
      const at = (share: number) => Math.round((times[Math.ceil(times.length * share) - 1] ?? 0) - started);
      console.log(
        `event ${round}: half have it after ${at(0.5)} ms, 99 % after ${at(0.99)} ms, all after ${at(1)} ms`,
      );
    }
  } finally {
    clients.kill();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function said(child: ChildProcess): Promise<{ open?: number; heard?: number[] }> {
  return new Promise((resolve, reject) => {
    child.once("message", (word) => resolve(word as { open?: number; heard?: number[] }));
    child.once("exit", () => reject(new Error("the clients ended")));
  });
}

/** The resident memory, after a garbage collection with --expose-gc. */
function resident(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

export async function signIn(url: string) {
  const cookie = await signUp(url);
  const send = async (method: string, path: string, body?: object) => {
    const headers = { cookie, origin: url, ...(body && { "content-type": "application/json" }) };
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { id: string; key?: string; active_org_id?: string };
  };
  return { send, org_id: (await send("GET", "/auth/me")).active_org_id ?? "" };
}
