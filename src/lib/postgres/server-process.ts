import { type ChildProcess, spawn } from "node:child_process";
import { systemClock } from "../clock.ts";
import { type Sandbox, spawnPlan } from "./sandbox.ts";
import { type DatabaseLog, followLog } from "./server-log.ts";

/** A server process. `ended` resolves with the reason and never rejects. */
export type ServerProcess = {
  pid: number | undefined;
  ended: Promise<string>;
  recentLog(): string;
  end(): Promise<void>;
};

/** Spawns the server; it does not accept connections yet. */
export function spawnServer(
  sandbox: Sandbox,
  program: string,
  args: string[],
  log: DatabaseLog,
): ServerProcess {
  const plan = spawnPlan(sandbox, program, args);
  const child = spawn(plan.file, plan.args, { ...plan.options, stdio: ["ignore", "ignore", "pipe"] });
  const { recent } = followLog(child.stderr, log);
  const ended = waitForEnd(child);
  return { pid: child.pid, ended, recentLog: recent, end: () => endServer(child, ended) };
}

async function waitForEnd(child: ChildProcess): Promise<string> {
  const closed = new Promise((done) => child.once("close", done));
  const reason = await new Promise<string>((done) => {
    child.once("error", (error) => done(error.message));
    child.once("exit", (code, signal) => done(signal ?? `exit code ${code}`));
  });
  // Its last lines may still be in the pipe, which its children can hold open.
  await waitAtMost(500, closed);
  return reason;
}

/** Fast shutdown, then immediate, then SIGKILL. The latter two require recovery at the next start. */
const steps = [
  { signal: "SIGINT", patienceMs: 20_000 },
  { signal: "SIGQUIT", patienceMs: 6_000 },
  { signal: "SIGKILL", patienceMs: 5_000 },
] as const;

async function endServer(child: ChildProcess, ended: Promise<string>): Promise<void> {
  for (const { signal, patienceMs } of steps) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    child.kill(signal);
    await waitAtMost(patienceMs, ended);
  }
}

async function waitAtMost(ms: number, event: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([event, systemClock.sleep(ms, waiting.signal)]);
  waiting.abort();
}
