import { once } from "node:events";
import { chmod, chown, readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProcess } from "../../src/lib/process/process-info.ts";
import { end, makeDataFolder, run, serve } from "./service.ts";

const account = { email: "ada@example.com", password: "correct horse battery staple" };

async function post(url: string, path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function postgresPid(folder: string): Promise<number> {
  return Number((await readFile(join(folder, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
}

test("keeps accounts from one run to the next and leaves no process behind", async () => {
  const DATA_DIR = await makeDataFolder();
  const first = await serve({ DATA_DIR });
  expect((await post(first.url, "/auth/signup", account)).status).toBe(200);
  const database = await postgresPid(DATA_DIR);
  expect(await end(first, "SIGINT")).toEqual({ code: 0, signal: null });
  expect(await findProcess(database)).toBeUndefined();

  const second = await serve({ DATA_DIR });
  expect((await post(second.url, "/auth/login", account)).status).toBe(200);
  expect(await end(second, "SIGTERM")).toEqual({ code: 0, signal: null });
});

test("starts again after kill -9 with everything it acknowledged", async () => {
  const DATA_DIR = await makeDataFolder();
  const first = await serve({ DATA_DIR });
  expect((await post(first.url, "/auth/signup", account)).status).toBe(200);
  await end(first, "SIGKILL");

  const second = await serve({ DATA_DIR });
  expect((await post(second.url, "/auth/login", account)).status).toBe(200);
});

test("says in one sentence that the port is taken, and ends what it had started", async () => {
  const DATA_DIR = await makeDataFolder();
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  const { code, output } = await run(["serve"], { DATA_DIR, PORT: String(port) });
  other.close();
  expect(code).toBe(1);
  expect(output.trim()).toBe(
    `tocsin: Port ${port} on 127.0.0.1 is taken. Stop what uses it, or set PORT to another one.`,
  );
  await expect(stat(join(DATA_DIR, "postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
});

test("refuses a data folder that another copy uses, and the first goes on", async () => {
  const DATA_DIR = await makeDataFolder();
  const first = await serve({ DATA_DIR });
  const { code, output } = await run(["serve"], { DATA_DIR });
  expect(code).toBe(1);
  expect(output.trim()).toBe(
    `tocsin: Another Tocsin (process ${first.child.pid}) is already using the data folder ${DATA_DIR}. ` +
      "Stop it first, or set DATA_DIR to another folder.",
  );
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
});

test("stops at a wrong setting with a sentence that names it", async () => {
  const DATA_DIR = await makeDataFolder();
  const { code, output } = await run(["serve"], { DATA_DIR, SIGNUP_MODE: "sometimes" });
  expect(code).toBe(1);
  expect(output).toMatch(/^tocsin: SIGNUP_MODE .*sometimes/);
  expect(output.trim().split("\n")).toHaveLength(1);
});

test("answers 503 while its database is being started again, and comes back", async () => {
  const DATA_DIR = await makeDataFolder();
  const service = await serve({ DATA_DIR });
  process.kill(await postgresPid(DATA_DIR), "SIGKILL");
  const statuses = new Set<number>();
  const deadline = performance.now() + 45_000;
  do {
    statuses.add(
      (await post(service.url, "/auth/signup", { ...account, email: "grace@example.com" })).status,
    );
  } while (!statuses.has(200) && !statuses.has(409) && performance.now() < deadline);
  statuses.delete(503);
  expect([...statuses]).toEqual([200]);
});

test.runIf(process.getuid?.() === 0)("runs for an ordinary user in a folder closed to others", async () => {
  const DATA_DIR = await makeDataFolder();
  await chown(DATA_DIR, 65534, 65534);
  await chmod(DATA_DIR, 0o700);
  const service = await serve({ DATA_DIR }, { uid: 65534 });
  expect((await post(service.url, "/auth/signup", account)).status).toBe(200);
  await expect.poll(() => readdir(join(DATA_DIR, "mail")).catch(() => [])).toHaveLength(1);
  expect((await stat(join(DATA_DIR, "mail"))).mode & 0o777).toBe(0o700);
});
