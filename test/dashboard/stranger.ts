import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/**
 * Does what a stranger does: clones the repository into an empty folder and runs `npm start` there with an empty home. Returns the
 * address of the service. The package cache and the registry are those of this machine, which may have no other.
 */
export async function startAsStranger(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-stranger-"));
  const [clone, home] = [join(folder, "tocsin"), join(folder, "home")];
  await mkdir(home);
  const since = performance.now();
  const say = (text: string) =>
    process.stdout.write(`${((performance.now() - since) / 1000).toFixed(1).padStart(6)} s  ${text}\n`);
  await run("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, clone]);
  say("cloned");
  const env = { ...(await npmSettings()), PATH: systemPath(), HOME: home, PORT: "0" };
  const child = spawn("npm", ["start"], { cwd: clone, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  afterAll(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const found = /listens on (\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`npm start ended with ${code}: ${output}`)));
  });
  const { stdout } = await run("du", ["-sm", clone]);
  say(`ready, ${stdout.split("\t")[0]} MB on disk`);
  return url;
}

/** Where packages come from. */
async function npmSettings(): Promise<Record<string, string>> {
  const ask = async (name: string) => (await run("npm", ["config", "get", name])).stdout.trim();
  return { npm_config_registry: await ask("registry"), npm_config_cache: await ask("cache") };
}

/** The programs of the machine, without those of this installation. */
function systemPath(): string {
  return (process.env.PATH ?? "")
    .split(":")
    .filter((folder) => !folder.includes("node_modules"))
    .join(":");
}
