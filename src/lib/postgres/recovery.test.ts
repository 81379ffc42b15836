import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect, harness, isGone, query, startInChild, until } from "../../../test/support/postgres.ts";
import { longTest } from "../../../test/support/run-size.ts";
import { nobody } from "./sandbox.ts";

const isRoot = process.getuid?.() === 0;

test("a killed server restarts with every acknowledged row", async () => {
  const { logged, start } = await harness({ isInitialised: true });
  const server = await start();
  const killed = server.pid() ?? 0;
  await query(server, "create table counted (value int)");
  const client = await connect(server);
  let acknowledged = 0;
  const insertAll = async () => {
    for (; ; acknowledged++) {
      if (acknowledged === 200) process.kill(killed, "SIGKILL");
      await client.query("insert into counted values ($1)", [acknowledged]);
    }
  };
  await expect(insertAll()).rejects.toThrow();
  const [count] = await until(() =>
    query(server, "select count(*)::int from counted").catch(() => undefined),
  );
  expect(acknowledged).toBeGreaterThanOrEqual(200);
  expect(count).toBeGreaterThanOrEqual(acknowledged);
  expect(server.pid()).not.toBe(killed);
  expect(logged).toContain("warn PostgreSQL ended unexpectedly (SIGKILL) and is being started again.");
});

longTest("a server that is stopped during its restart stays stopped", async () => {
  const { start } = await harness({ isInitialised: true });
  const server = await start();
  process.kill(server.pid() ?? 0, "SIGKILL");
  await until(async () => server.pid() === undefined);
  await Promise.all([server.stop(), server.stop()]);
  expect(server.pid()).toBeUndefined();
  expect(existsSync(server.host)).toBe(false);
  expect(await query(await start(), "select 1")).toEqual([1]);
});

test("a server stops with the process that started it, and the next start is immediate", async () => {
  const { folder, start } = await harness({ isInitialised: true });
  const { child, ready } = startInChild(folder);
  const server = await ready;
  await query(server, "create table kept as select 7 as value");
  child.kill("SIGKILL");
  await until(() => isGone(server.pid));
  expect(await query(await start(), "select value from kept")).toEqual([7]);
});

longTest("a start waits for a server that is still stopping", async () => {
  const { folder, start } = await harness({ isInitialised: true });
  const { child, ready } = startInChild(folder);
  const server = await ready;
  await query(server, "create table kept as select generate_series(1, 200000) as value");
  child.kill("SIGKILL");
  expect(await query(await start(), "select count(*)::int from kept")).toEqual([200000]);
  expect(await isGone(server.pid)).toBe(true);
});

test("a start stops an orphaned server of a dead process", async () => {
  const { root, folder, start } = await harness({ isInitialised: true });
  if (isRoot) execFileSync("chown", ["-R", `${nobody}:${nobody}`, root]);
  // Without setpriv the server outlives its parent, as on macOS.
  const { child, ready } = startInChild(folder, { path: "/nowhere", ...(isRoot && { uid: nobody }) });
  const server = await ready;
  await query(server, "create table kept as select 8 as value");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await isGone(server.pid)).toBe(false);
  const next = await start();
  expect(await isGone(server.pid)).toBe(true);
  expect(await query(next, "select value from kept")).toEqual([8]);
});

longTest("a start leaves the server of a living process alone", async () => {
  const { folder, start } = await harness({ isInitialised: true });
  const server = await start();
  await expect(start()).rejects.toThrow(
    `Another PostgreSQL (process ${server.pid()}) is already using ${folder}. Stop it first (kill -INT ${server.pid()}).`,
  );
  expect(await query(server, "select 1")).toEqual([1]);
});

longTest("a reused pid of a dead server does not block a start", async () => {
  const { root, folder, start } = await harness({ isInitialised: true });
  await (await start()).stop();
  const innocent = spawn("sleep", ["60"]);
  const lines = [innocent.pid, folder, 1, 5432, root, "", " 1 1", "ready   ", ""];
  await writeFile(join(folder, "postmaster.pid"), lines.join("\n"), { mode: 0o600 });
  expect(await query(await start(), "select 1")).toEqual([1]);
  expect(innocent.exitCode).toBeNull();
  innocent.kill();
});

longTest("a start succeeds after an interrupted first start", async () => {
  const { root, folder, start } = await harness();
  const { child, ready } = startInChild(folder);
  const interrupted = expect(ready).rejects.toThrow();
  await until(async () => {
    const half = (await readdir(root)).find((entry) => entry.startsWith("postgres.unfinished-"));
    return half !== undefined && existsSync(join(root, half, "PG_VERSION"));
  });
  child.kill("SIGKILL");
  await interrupted;
  expect(existsSync(folder)).toBe(false);
  expect(await query(await start(), "select 1")).toEqual([1]);
  expect((await readdir(root)).sort()).toEqual(["postgres", "postgres-socket"]);
});
