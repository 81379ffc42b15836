import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { harness, query, startInChild } from "../../../test/support/postgres.ts";
import { longTest } from "../../../test/support/run-size.ts";
import { OperatorError } from "../operator-error.ts";
import { nobody } from "./sandbox.ts";

const isRoot = process.getuid?.() === 0;
const debianBinaries = "/usr/lib/postgresql/15/bin";

test("data survives a restart of the embedded server", async () => {
  const { start } = await harness();
  const first = await start();
  await query(first, "create table notes as select 'Ä' as body");
  await first.stop();
  expect(existsSync(first.host)).toBe(false);
  const second = await start();
  expect(await query(second, "select lower(body) from notes")).toEqual(["ä"]);
  expect(await query(second, "show server_encoding")).toEqual(["UTF8"]);
  expect(await query(second, "show data_checksums")).toEqual(["on"]);
  expect(await query(second, "show fsync")).toEqual(["on"]);
});

test("only the owner can access the data and the socket", async () => {
  const { root, folder, start } = await harness({ isInitialised: true });
  await chmod(root, 0o700);
  const server = await start({ settings: { listen_addresses: "*", work_mem: "8MB" } });
  expect(server.host).toBe(`${folder}-socket`);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(server.host)).mode & 0o777).toBe(0o700);
  expect(await query(server, "show listen_addresses")).toEqual([""]);
  expect(await query(server, "show work_mem")).toEqual(["8MB"]);
});

longTest(
  "the server works in a path that is too long for a socket and contains commas, quotes and spaces",
  async () => {
    const { root, start } = await harness();
    const server = await start({ folder: join(root, "deep".repeat(40), 'my "data", etc') });
    expect(server.host.startsWith(join(tmpdir(), "tocsin-"))).toBe(true);
    expect((await stat(server.host)).mode & 0o777).toBe(0o700);
    expect(await query(server, "select 1")).toEqual([1]);
    await server.stop();
    expect(existsSync(server.host)).toBe(false);
    expect(await query(await start({ folder: join(root, 'a "b", c') }), "select 2")).toEqual([2]);
  },
);

test("a failed start reports its reason", async () => {
  const { start } = await harness({ isInitialised: true });
  const starting = start({ settings: { shared_buffers: "plenty" } });
  await expect(starting).rejects.toBeInstanceOf(OperatorError);
  await expect(starting).rejects.toThrow(
    /^PostgreSQL did not start: .*shared_buffers.*plenty.* DATA_DIR .* DATABASE_URL [^\n]*\.$/,
  );
});

test("a PostgreSQL for another processor is reported in one sentence with a remedy", async () => {
  const { root, start } = await harness({ isInitialised: true });
  const binaries = join(root, "bin");
  await mkdir(binaries);
  // The header of a program for a processor that does not exist.
  const header = Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01"), Buffer.alloc(57, 0xee)]);
  await writeFile(join(binaries, "postgres"), header, { mode: 0o755 });
  const starting = start({ binaries });
  await expect(starting).rejects.toBeInstanceOf(OperatorError);
  await expect(starting).rejects.toThrow(
    /^The built-in PostgreSQL does not run on this machine \(\S+\): .*bin\/postgres.*Delete node_modules .* DATABASE_URL [^\n]*\.$/,
  );
});

test("data of another PostgreSQL version is rejected with both versions", async () => {
  const { folder, start } = await harness();
  await mkdir(join(folder, "global"), { recursive: true });
  await writeFile(join(folder, "PG_VERSION"), "12\n");
  await writeFile(join(folder, "global", "pg_control"), "");
  await expect(start()).rejects.toThrow(
    /was made by PostgreSQL 12, but this is PostgreSQL 18\. Dump it with version 12/,
  );
});

test("a folder with other files is never initialised", async () => {
  const { folder, start } = await harness();
  await mkdir(folder);
  await writeFile(join(folder, "PG_VERSION"), "18\n");
  await expect(start()).rejects.toThrow(/is not empty and holds no complete database/);
  expect(existsSync(join(folder, "PG_VERSION"))).toBe(true);
});

longTest("the binaries of another folder can be used", async (context) => {
  const { root, start } = await harness();
  await expect(start({ binaries: root })).rejects.toThrow(`There is no PostgreSQL in ${root}.`);
  if (!existsSync(debianBinaries)) return context.skip("PostgreSQL 15 is not installed here");
  const server = await start({ binaries: debianBinaries });
  expect(await query(server, "select current_setting('server_version_num')::int / 10000")).toEqual([15]);
  expect(await query(server, "select lower('Ä')")).toEqual(["ä"]);
});

longTest("the embedded server runs for an ordinary user", async (context) => {
  const { root, folder, start } = await harness();
  if (!isRoot) return void (await query(await start(), "select 1"));
  const source = new URL("./start.ts", import.meta.url).pathname;
  const reading = spawnSync("head", ["-c1", source, process.execPath], {
    uid: nobody,
    gid: nobody,
    cwd: "/",
  });
  if (reading.status !== 0) return context.skip(`user ${nobody} cannot read this checkout`);
  await chown(root, nobody, nobody);
  const server = await startInChild(folder, { uid: nobody }).ready;
  expect(await query(server, "select 1")).toEqual([1]);
  expect((await stat(folder)).uid).toBe(nobody);
});

longTest(
  "the embedded server runs for root without user namespaces, and the data can switch between both modes",
  async (context) => {
    if (!isRoot) return context.skip("only root can give files away");
    const { root, folder, start } = await harness();
    const first = await start({ sandbox: "chown" });
    await query(first, "create table kept as select 1 as value");
    expect((await stat(`/proc/${first.pid()}`)).uid).toBe(nobody);
    expect((await stat(root)).mode & 0o007).toBe(0);
    await first.stop();
    const second = await start({ sandbox: "namespace" });
    expect(await query(second, "select value from kept")).toEqual([1]);
    expect((await stat(join(folder, "global", "pg_control"))).uid).toBe(0);
    await second.stop();
    expect(await query(await start({ sandbox: "chown" }), "select value from kept")).toEqual([1]);
  },
);

longTest(
  "the server runs as the owner of a folder that root in a user namespace cannot enter",
  async (context) => {
    if (!isRoot) return context.skip("only root has folders of others to pass through");
    const { root, folder, start } = await harness();
    await chown(root, nobody, nobody);
    expect(await query(await start({ sandbox: "namespace" }), "select 1")).toEqual([1]);
    expect((await stat(folder)).uid).toBe(nobody);
  },
);

test("a start without user namespaces names the folder that the other user cannot enter", async (context) => {
  if (!isRoot) return context.skip("only root runs it as another user");
  const { root, start } = await harness();
  await symlink("/bin/true", join(root, "postgres"));
  const starting = start({ sandbox: "chown", binaries: root });
  await expect(starting).rejects.toBeInstanceOf(OperatorError);
  await expect(starting).rejects.toThrow(`user ${nobody}, whom it would run as, cannot enter ${root}.`);
});
