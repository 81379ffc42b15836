import { once } from "node:events";
import { chmod, chown, readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { findProcess } from "../../src/lib/process/process-info.ts";
import { casesOf } from "../support/run-size.ts";
import { end, makeDataFolder, type Running, run, serve } from "./service.ts";

const account = { email: "ada@example.com", password: "correct horse battery staple" };

async function post(url: string, path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function postgresPid(folder: string): Promise<number> {
  return Number((await readFile(join(folder, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
}

test("the service starts in an empty folder, stops at Ctrl-C and leaves no process behind", async () => {
  const DATA_DIR = await makeDataFolder({ isInitialised: false });
  const service = await serve({ DATA_DIR });
  expect((await post(service.url, "/auth/signup", account)).status).toBe(200);
  const database = await postgresPid(DATA_DIR);
  // npm passes on what the terminal has sent already.
  service.child.kill("SIGINT");
  expect(await end(service, "SIGINT")).toEqual({ code: 0, signal: null });
  expect(await findProcess(database)).toBeUndefined();
});

const waysToStart = [
  ["one process", "1", "0"],
  ["several processes with the demo chain", "roles", "1"],
  ["several processes", "roles", "0"],
] as const;
test.each(casesOf(waysToStart, ([way]) => way === "one process"))(
  "a port in use is reported in one sentence by %s, and the database is stopped again",
  async (_, PROCESSES, DEMO) => {
    const DATA_DIR = await makeDataFolder();
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const { code, output } = await run(["serve"], { DATA_DIR, PROCESSES, DEMO, PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      `tocsin: Port ${port} on 127.0.0.1 is already in use. Stop the program that uses it, or set PORT to another port.`,
    );
    await expect(stat(join(DATA_DIR, "postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
  },
);

test.each<[string, Record<string, string>, RegExp]>([
  [
    "a data folder that nobody can write to",
    { DATA_DIR: "/proc" },
    /The data folder \/proc cannot be used: .* or set DATA_DIR to another one\.$/,
  ],
  [
    "a database that does not run",
    { DATABASE_URL: "postgres://tocsin:hunter2@127.0.0.1:9/tocsin" },
    /The database cannot be opened \(ECONNREFUSED\)\. Nothing listens there: start PostgreSQL, or .* DATABASE_URL\.$/,
  ],
])("%s stops the start with one sentence that has a remedy", async (_what, env, sentence) => {
  const { code, output } = await run(["serve"], {
    ...{ PORT: "0", LOG_LEVEL: "error", DATA_DIR: await makeDataFolder({ isInitialised: false }) },
    ...env,
  });
  expect(code).toBe(1);
  expect(output.trim()).toMatch(sentence);
  expect(output.trim().split("\n")).toHaveLength(1);
  expect(output).not.toContain("hunter2");
});

test("an invalid setting stops the start with a sentence that names it", async () => {
  const DATA_DIR = await makeDataFolder({ isInitialised: false });
  const { code, output } = await run(["serve"], { DATA_DIR, SIGNUP_MODE: "sometimes" });
  expect(code).toBe(1);
  expect(output).toMatch(/^tocsin: SIGNUP_MODE .*sometimes/);
  expect(output.trim().split("\n")).toHaveLength(1);
});

describe("a running service", () => {
  const shared = {} as { DATA_DIR: string; service: Running };
  beforeAll(async () => {
    shared.DATA_DIR = await makeDataFolder({ isShared: true });
    shared.service = await serve({ DATA_DIR: shared.DATA_DIR }, { isShared: true });
  });

  test("rejects a second service on the same data folder, and continues", async () => {
    const { code, output } = await run(["serve"], { DATA_DIR: shared.DATA_DIR });
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      `tocsin: Another Tocsin (process ${shared.service.child.pid}) is already using the data folder ${shared.DATA_DIR}. ` +
        "Stop it first, or set DATA_DIR to another folder.",
    );
    expect((await fetch(`${shared.service.url}/readyz`)).status).toBe(200);
  });

  test("returns 503 while the database restarts, and recovers", async () => {
    process.kill(await postgresPid(shared.DATA_DIR), "SIGKILL");
    const statuses = new Set<number>();
    const deadline = performance.now() + 45_000;
    do {
      statuses.add(
        (await post(shared.service.url, "/auth/signup", { ...account, email: "grace@example.com" })).status,
      );
    } while (!statuses.has(200) && !statuses.has(409) && performance.now() < deadline);
    statuses.delete(503);
    expect([...statuses]).toEqual([200]);
  });

  // The last test of the shared service, since it ends it.
  test("that is killed with kill -9 starts again with everything that it acknowledged", async () => {
    const { service, DATA_DIR } = shared;
    expect((await post(service.url, "/auth/signup", account)).status).toBe(200);
    await end(service, "SIGKILL");

    const next = await serve({ DATA_DIR });
    expect((await post(next.url, "/auth/login", account)).status).toBe(200);
    expect(await end(next, "SIGTERM")).toEqual({ code: 0, signal: null });
  });
});

test.runIf(process.getuid?.() === 0 && process.env.TEST_LONG)(
  "the service runs for an ordinary user in a private folder",
  async () => {
    const DATA_DIR = await makeDataFolder({ isInitialised: false });
    await chown(DATA_DIR, 65534, 65534);
    await chmod(DATA_DIR, 0o700);
    const service = await serve({ DATA_DIR }, { uid: 65534 });
    expect((await post(service.url, "/auth/signup", account)).status).toBe(200);
    await expect.poll(() => readdir(join(DATA_DIR, "mail")).catch(() => [])).toHaveLength(1);
    expect((await stat(join(DATA_DIR, "mail"))).mode & 0o777).toBe(0o700);
  },
);
