import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { onTestFinished } from "vitest";
import { type PostgresOptions, type RunningPostgres, startPostgres } from "../../src/lib/postgres/start.ts";
import { findProcess } from "../../src/lib/process/process-info.ts";
import { copyInitialised } from "./initialised-folder.ts";

/** The address of a server of any process. */
export type Address = Pick<RunningPostgres, "host" | "port" | "user">;

/** Starts servers for one test, which are stopped and removed with it. An initialised folder saves the first start. */
export async function harness({ isInitialised = false } = {}) {
  const root = await mkdtemp(join(tmpdir(), "tocsin-pg-"));
  const running: RunningPostgres[] = [];
  const logged: string[] = [];
  onTestFinished(async () => {
    await Promise.all(running.map((server) => server.stop()));
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  });
  const folder = join(root, "postgres");
  if (isInitialised) await copyInitialised(folder);
  const log: PostgresOptions["log"] = ({ level, msg }) => logged.push(`${level} ${msg}`);
  const start = async (options: Partial<PostgresOptions> = {}): Promise<RunningPostgres> => {
    const server = await startPostgres({ folder, log, ...options });
    running.push(server);
    return server;
  };
  return { root, folder, logged, start };
}

/** Starts the server in another process. `ready` resolves with its address, or rejects with its error output. */
export function startInChild(folder: string, options: { uid?: number; path?: string } = {}) {
  const script = `
    import { startPostgres } from ${JSON.stringify(new URL("../../src/lib/postgres/start.ts", import.meta.url).href)};
    const server = await startPostgres({ folder: ${JSON.stringify(folder)}, log: ({ msg }) => console.error(msg) });
    console.log(JSON.stringify({ ...server, pid: server.pid() }));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...(options.path && { PATH: options.path }) },
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  const complaints: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => complaints.push(line));
  const line = once(createInterface({ input: child.stdout }), "line");
  const ready = Promise.race([line, once(child, "exit")]).then(([answer]): Address & { pid: number } => {
    if (typeof answer === "string" && answer.startsWith("{")) return JSON.parse(answer);
    throw new Error(complaints.join("\n"));
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    const server = await ready.catch(() => undefined);
    if (server) await until(() => isGone(server.pid));
  });
  return { child, ready };
}

export async function connect({ host, port, user }: Address): Promise<pg.Client> {
  const client = new pg.Client({ host, port, user, database: "postgres" });
  // The server may be killed during the query, which is not a failure.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Returns the values of a statement, row by row. */
export async function query(address: Address, sql: string): Promise<unknown[]> {
  const client = await connect(address);
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end().catch(() => {});
  }
}

/** Reads again and again until the result is neither undefined nor false, and returns it. */
export async function until<Value>(read: () => Promise<Value | undefined | false>): Promise<Value> {
  // Far longer than any condition takes on an idle machine.
  const deadline = Date.now() + 45_000;
  while (Date.now() < deadline) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`Waited in vain for ${read}`);
}

export async function isGone(pid: number): Promise<boolean> {
  return (await findProcess(pid)) === undefined;
}
