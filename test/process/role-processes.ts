import { readdir } from "node:fs/promises";
import { expect } from "vitest";
import { findProcess } from "../../src/lib/process/process-info.ts";
import type { Running } from "./service.ts";

/** The processes of the roles by name. */
export async function rolesOf({ child }: Running): Promise<Map<string, number>> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ({ pid, about: await findProcess(pid) })));
  const isRole = (about: Awaited<ReturnType<typeof findProcess>>) =>
    about?.parent === child.pid && about?.command.startsWith("tocsin ");
  const own = found.filter(({ about }) => isRole(about));
  return new Map(own.map(({ pid, about }) => [about?.command.trim() ?? "", pid]));
}

export async function pidOf(service: Running, name: string): Promise<number> {
  return (await rolesOf(service)).get(name) ?? expect.fail(`there is no process ${name}`);
}
