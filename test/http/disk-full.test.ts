import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../postgres.ts";

const entry = fileURLToPath(new URL("../../src/cli/index.ts", import.meta.url));
/** Runs a program with a view of the disks of its own. */
const [program, option] = ["unshare", "--mount"] as const;
const mountTest = [option, "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmpdir()];
const canMount = process.getuid?.() === 0 && spawnSync(program, mountTest).status === 0;
const reason = "a full disk needs root and the right to mount a tmpfs";
if (!canMount) process.stderr.write(`Skipped: ${reason}.\n`);

/** The service with all it keeps on a small disk of its own, which only it can see. */
async function serveOnSmallDisk() {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-full-"));
  const script = 'mount -t tmpfs -o size=200m tmpfs "$1" && exec "$2" "$3" serve';
  const child = spawn(program, [option, "sh", "-c", script, "sh", folder, process.execPath, entry], {
    cwd: "/",
    env: { PATH: process.env.PATH, PORT: "0", LOG_LEVEL: "silent", DATA_DIR: folder },
  });
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (text += chunk));
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  });
  const url = await until(async () => /listens on (\S+)/.exec(text)?.[1]);
  // Its own view of the disk, from outside.
  return { url, inside: `/proc/${child.pid}/root${folder}` };
}

async function fill(inside: string): Promise<{ empty(): Promise<void> }> {
  const path = join(inside, "filler");
  const file = await open(path, "w");
  for (const size of [1024 * 1024, 4096]) {
    const block = Buffer.alloc(size);
    while ((await file.write(block).catch(() => ({ bytesWritten: 0 }))).bytesWritten === size);
  }
  await file.close();
  return { empty: () => rm(path) };
}

async function signUp(url: string) {
  const ask = async (method: string, path: string, body?: unknown, cookie = "") => {
    const since = performance.now();
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json", origin: url, cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const reply: unknown = await answer.json();
    return { status: answer.status, reply, headers: answer.headers, tookMs: performance.now() - since };
  };
  const email = "ada@example.com";
  const { headers } = await ask("POST", "/auth/signup", { email, password: "correct horse battery staple" });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  return (method: string, path: string, body?: unknown) => ask(method, path, body, cookie);
}

test("on a full disk writes get 503 and reads succeed", { timeout: 90_000 }, async (context) => {
  if (!canMount) return context.skip(reason);
  const { url, inside } = await serveOnSmallDisk();
  const ask = await signUp(url);
  const kept: string[] = [];
  const found = async (name: string) => {
    const answer = await ask("POST", "/orgs", { name, business: { address: "long ".repeat(90) } });
    if (answer.status === 201) kept.push(name);
    return answer;
  };
  const names = async () => ((await ask("GET", "/orgs")).reply as { name: string }[]).map((org) => org.name);
  await found("Before");

  const filler = await fill(inside);
  // There is room left in pages that exist; it is used up after a few dozen rows.
  let refused = await found("Full 0");
  for (let n = 1; n < 90 && refused.status === 201; n++) refused = await found(`Full ${n}`);
  expect(refused).toMatchObject({ status: 503, reply: { code: "unavailable" } });
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(await names()).toEqual(expect.arrayContaining(kept));
  expect((await ask("GET", "/auth/me")).status).toBe(200);

  await filler.empty();
  const again = await until(async () => {
    const answer = await found("After");
    return answer.status === 201 && answer;
  });
  expect(again.tookMs).toBeLessThan(5_000);
  expect((await names()).sort()).toEqual(expect.arrayContaining(kept));
});

test("the database stops when its write-ahead log fills the disk, and restarts when space is free", {
  timeout: 90_000,
}, async (context) => {
  if (!canMount) return context.skip(reason);
  const { url, inside } = await serveOnSmallDisk();
  const ask = await signUp(url);
  expect((await ask("POST", "/orgs", { name: "Before" })).status).toBe(201);
  const filler = await fill(inside);
  await exhaustLog(inside);

  const refused = await until(async () => {
    const answer = await ask("POST", "/orgs", { name: "Full" });
    return answer.status !== 201 && answer;
  });
  const read = await ask("GET", "/orgs");
  for (const answer of [refused, read]) {
    expect(answer).toMatchObject({ status: 503, reply: { code: "unavailable" } });
    expect(answer.tookMs).toBeLessThan(6_000);
  }
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  await filler.empty();
  await until(async () => (await ask("POST", "/orgs", { name: "After" })).status === 201);
  const names = ((await ask("GET", "/orgs")).reply as { name: string }[]).map((org) => org.name);
  expect(names).toEqual(expect.arrayContaining(["Before", "After"]));
});

/** Writes into the write-ahead log and nowhere else, until the server can no longer. */
async function exhaustLog(inside: string): Promise<void> {
  const client = new pg.Client({ host: `${inside}/postgres-socket`, user: "tocsin", database: "tocsin" });
  client.on("error", () => undefined);
  await client.connect();
  const message = "select pg_logical_emit_message(false, 'x', repeat('x', 1000000))";
  const writeAll = async () => {
    for (let megabyte = 0; megabyte < 100; megabyte++) await client.query(message);
  };
  await expect(writeAll()).rejects.toThrow();
}
