import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";
import { childEnvironment } from "./child-environment.ts";

/** Information about a running process. */
export type ProcessInfo = {
  parent: number;
  /** Distinguishes processes that had the same pid, also across a reboot. */
  started: string;
  command: string;
  /** Only on systems with /proc. */
  workingFolder: string | undefined;
};

/** Finds a process by its pid. A zombie counts as ended. */
export async function findProcess(pid: number): Promise<ProcessInfo | undefined> {
  return existsSync("/proc/self/stat") ? findInProc(pid) : findWithPs(pid);
}

async function findInProc(pid: number): Promise<ProcessInfo | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name is in brackets and may contain brackets and spaces; the third field follows the last bracket.
  const [state = "", parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if ("ZX".includes(state)) return undefined;
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return {
    parent: Number(parent),
    started: `${boot.trim()}:${rest[17]}`,
    command: command.replaceAll("\0", " ").trim(),
    workingFolder: await readlink(`/proc/${pid}/cwd`).catch(() => undefined),
  };
}

const psLine = /^\s*(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/m;

/** The slower way, for systems without /proc. */
export async function findWithPs(pid: number): Promise<ProcessInfo | undefined> {
  const columns = ["ppid=", "stat=", "lstart=", "command="].flatMap((column) => ["-o", column]);
  const args = ["-ww", "-p", String(pid), ...columns];
  const listing = await promisify(execFile)("ps", args, { env: childEnvironment() }).catch(() => undefined);
  const [, parent, state, started, command] = psLine.exec(listing?.stdout ?? "") ?? [];
  if (!started || state?.startsWith("Z")) return undefined;
  return { parent: Number(parent), started, command: command ?? "", workingFolder: undefined };
}
