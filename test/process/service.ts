import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { bundledEntry } from "../support/bundle.ts";
import { copyInitialised } from "../support/initialised-folder.ts";

/** No external service is called, and no demo chain runs beside the service. */
const alone = { SOURCIFY_URL: "http://127.0.0.1:1", DEMO: "0" };

export type Running = { child: ChildProcess; url: string; output: () => string };

/** A data folder that goes with the test, or with the file. An initialised one saves the first start of its database. */
export async function makeDataFolder({ isInitialised = true, isShared = false } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-process-"));
  if (isInitialised) await copyInitialised(join(folder, "postgres"));
  // The database of a service that was killed writes until it has noticed.
  const atEnd = isShared ? afterAll : onTestFinished;
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }));
  return folder;
}

/**
 * Starts the real command in a process of its own and waits until it says where it listens. It ends with the test, or with the
 * file if its tests share it.
 */
export async function serve(
  env: Record<string, string>,
  { isShared = false, ...options }: { uid?: number; isShared?: boolean } = {},
): Promise<Running> {
  const { child, output } = start(["serve"], env, options);
  const atEnd = isShared ? afterAll : onTestFinished;
  atEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", () => {
      const found = /listens on (\S+)/.exec(output())?.[1];
      if (found) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${output()}`)));
  });
  return { child, url, output };
}

/** Runs a command to its end. */
export async function run(args: string[], env: Record<string, string>, input?: string) {
  const { child, output } = start(args, env);
  child.stdin?.end(input ?? "");
  const [code] = await once(child, "exit");
  return { code: code as number | null, output: output() };
}

/** Ends a service with a signal and returns how it ended. */
export async function end(running: Running, signal: NodeJS.Signals) {
  const exit = once(running.child, "exit");
  running.child.kill(signal);
  const [code, by] = await exit;
  return { code: code as number | null, signal: by as string | null };
}

/** Starts a command. */
export function start(args: string[], env: Record<string, string>, options: { uid?: number } = {}) {
  const child = spawn(process.execPath, [bundledEntry("src/cli/index.ts"), ...args], {
    cwd: env.DATA_DIR ?? tmpdir(),
    // Nobody outside is asked for the source of a contract.
    env: { PATH: process.env.PATH, PORT: "0", PROCESSES: "1", LOG_LEVEL: "warn", ...alone, ...env },
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (text += chunk));
  return { child, output: () => text };
}
