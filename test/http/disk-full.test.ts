import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { bundledEntry } from "../support/bundle.ts";
import { until } from "../support/postgres.ts";

const entry = bundledEntry("src/cli/index.ts");
/** Runs a program in its own mount namespace. */
const [program, option] = ["unshare", "--mount"] as const;
const mountTest = [option, "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmpdir()];
const isLong = process.env.TEST_LONG !== undefined;
const canMount = isLong && process.getuid?.() === 0 && spawnSync(program, mountTest).status === 0;
const reason = "a full disk needs root and the right to mount a tmpfs";
if (isLong && !canMount) process.stderr.write(`Skipped: ${reason}.\n`);

/** The service with its data on a small disk that only it can see. */
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
  afterAll(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  });
  const url = await until(async () => /listens on (\S+)/.exec(text)?.[1]);
  // The path of its mount namespace, seen from outside.
  return { url, inside: `/proc/${child.pid}/root${folder}`, request: await signUp(url) };
}

const service = canMount ? await serveOnSmallDisk() : undefined;

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
  const send = async (method: string, path: string, payload?: unknown, cookie = "") => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json", origin: url, cookie },
      ...(payload !== undefined && { body: JSON.stringify(payload) }),
    });
    const body: unknown = await response.json();
    return { status: response.status, body, headers: response.headers };
  };
  const email = "ada@example.com";
  const { headers } = await send("POST", "/auth/signup", { email, password: "correct horse battery staple" });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  return (method: string, path: string, payload?: unknown) => send(method, path, payload, cookie);
}

test("on a full disk writes get 503 and reads succeed", async (context) => {
  if (!service) return context.skip(reason);
  const { inside, request } = service;
  const created: string[] = [];
  const createOrg = async (name: string) => {
    const reply = await request("POST", "/orgs", { name, business: { address: "long ".repeat(90) } });
    if (reply.status === 201) created.push(name);
    return reply;
  };
  const names = async () =>
    ((await request("GET", "/orgs")).body as { name: string }[]).map((org) => org.name);
  await createOrg("Before");

  const filler = await fill(inside);
  // Existing pages have free space for a few dozen rows.
  let rejected = await createOrg("Full 0");
  for (let n = 1; n < 90 && rejected.status === 201; n++) rejected = await createOrg(`Full ${n}`);
  expect(rejected).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(rejected.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(await names()).toEqual(expect.arrayContaining(created));
  expect((await request("GET", "/auth/me")).status).toBe(200);

  await filler.empty();
  await until(async () => (await createOrg("After")).status === 201);
  expect((await names()).sort()).toEqual(expect.arrayContaining(created));
});

test("the database stops when its write-ahead log fills the disk, and restarts when space is free", async (context) => {
  if (!service) return context.skip(reason);
  const { url, inside, request } = service;
  expect((await request("POST", "/orgs", { name: "Before" })).status).toBe(201);
  const filler = await fill(inside);
  await exhaustWriteAheadLog(inside);

  const rejected = await until(async () => {
    const reply = await request("POST", "/orgs", { name: "Full" });
    return reply.status !== 201 && reply;
  });
  const read = await request("GET", "/orgs");
  for (const reply of [rejected, read])
    expect(reply).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  await filler.empty();
  await until(async () => (await request("POST", "/orgs", { name: "After" })).status === 201);
  const names = ((await request("GET", "/orgs")).body as { name: string }[]).map((org) => org.name);
  expect(names).toEqual(expect.arrayContaining(["Before", "After"]));
});

/** Writes to the write-ahead log only, until the server fails. */
async function exhaustWriteAheadLog(inside: string): Promise<void> {
  const client = new pg.Client({ host: `${inside}/postgres-socket`, user: "tocsin", database: "tocsin" });
  client.on("error", () => undefined);
  await client.connect();
  const message = "select pg_logical_emit_message(false, 'x', repeat('x', 1000000))";
  const writeAll = async () => {
    for (let megabyte = 0; megabyte < 100; megabyte++) await client.query(message);
  };
  await expect(writeAll()).rejects.toThrow();
}
