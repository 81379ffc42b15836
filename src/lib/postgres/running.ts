import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findProcess } from "../process/process-info.ts";

/** The socket of the server that runs on a data folder, from its pid file; undefined when none runs. */
export async function findRunningServer(folder: string): Promise<{ host: string; port: number } | undefined> {
  const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port, host, , , state] = text.split("\n");
  if (state?.trim() !== "ready" || !host || !(await findProcess(Number(pid)))) return undefined;
  return { host, port: Number(port) };
}
