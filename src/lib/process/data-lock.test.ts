import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OperatorError } from "../operator-error.ts";
import { lockDataFolder } from "./data-lock.ts";
import { findProcess, findWithPs } from "./process-info.ts";

let folder: string;
let lockers: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tocsin-lock-"));
  lockers = [];
});

afterEach(async () => {
  for (const locker of lockers) locker.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** A process that locks and releases the folder on request and reports the results. */
async function startLocker() {
  const script = `
    import { createInterface } from "node:readline";
    import { lockDataFolder } from ${JSON.stringify(new URL("./data-lock.ts", import.meta.url).href)};
    let held;
    const actions = {
      lock: async () => { held = await lockDataFolder(${JSON.stringify(folder)}); return "held"; },
      release: async () => { await held.release(); return "released"; },
    };
    createInterface({ input: process.stdin }).on("line", (action) =>
      actions[action]().catch((error) => error.message).then(console.log));
    console.log("waiting");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  lockers.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const tell = async (action: "lock" | "release"): Promise<string> => {
    child.stdin.write(`${action}\n`);
    return (await lines.next()).value ?? "ended";
  };
  return { child, tell };
}

async function leaveLock(text: string, name = "tocsin.lock"): Promise<void> {
  await symlink(text, join(folder, name));
}

const deadPid = 2 ** 30;

test("a data folder is created for this user only, locked and released", async () => {
  const inner = join(folder, "new", "data");
  const lock = await lockDataFolder(inner);
  expect((await stat(inner)).mode & 0o777).toBe(0o700);
  await lock.release();
  expect(await readdir(inner)).toEqual([]);
  await (await lockDataFolder(inner)).release();
});

test("a second process is rejected with a sentence that names the first", async () => {
  const lock = await lockDataFolder(folder);
  const second = lockDataFolder(folder);
  await expect(second).rejects.toBeInstanceOf(OperatorError);
  await expect(second).rejects.toThrow(
    `Another Tocsin (process ${process.pid}) is already using the data folder ${folder}. ` +
      "Stop it first, or set DATA_DIR to another folder.",
  );
  await lock.release();
});

test("exactly one of six concurrent processes gets the lock", async () => {
  const processes = await Promise.all(Array.from({ length: 6 }, startLocker));
  for (let round = 0; round < 30; round++) {
    if (round > 0) await leaveLock(`${deadPid} dead-${round} long-ago`);
    // In every third round the process that removed the stale lock crashed as well.
    if (round % 3 === 2) await leaveLock(`${deadPid} helper-${round} long-ago`, `tocsin.lock.dead-${round}`);
    const answers = await Promise.all(processes.map(({ tell }) => tell("lock")));
    expect(answers.filter((answer) => answer.startsWith("Another Tocsin"))).toHaveLength(5);
    expect(answers.filter((answer) => answer === "held")).toHaveLength(1);
    expect(await readdir(folder)).toEqual(["tocsin.lock"]);
    await processes[answers.indexOf("held")]?.tell("release");
  }
});

test("the lock of a killed process is taken over", async () => {
  const { child, tell } = await startLocker();
  expect(await tell("lock")).toBe("held");
  await expect(lockDataFolder(folder)).rejects.toThrow(`process ${child.pid}`);
  child.kill("SIGKILL");
  await once(child, "exit");
  await (await lockDataFolder(folder)).release();
});

test("a reused pid of a dead process does not hold the lock", async () => {
  await leaveLock(`${process.pid} dead some-other-start`);
  const lock = await lockDataFolder(folder);
  expect(await readlink(join(folder, "tocsin.lock"))).not.toContain("some-other-start");
  await lock.release();
});

test("an unreadable lock is taken over", async () => {
  await leaveLock("nonsense");
  await (await lockDataFolder(folder)).release();
});

test("an unusable data folder is reported in one sentence", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  const locking = lockDataFolder(join(file, "data"));
  await expect(locking).rejects.toBeInstanceOf(OperatorError);
  await expect(locking).rejects.toThrow(/^The data folder .* cannot be used: ENOTDIR/);
});

test("processes are identified by their start time, with and without /proc", async () => {
  for (const find of [findProcess, findWithPs]) {
    const own = await find(process.pid);
    expect(own).toMatchObject({ parent: process.ppid, command: expect.stringContaining("node") });
    expect((await find(process.pid))?.started).toBe(own?.started);
    expect(await find(deadPid)).toBeUndefined();
  }
});
