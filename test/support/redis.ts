import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";

/** Whether a Redis server is installed; a suite that needs one skips itself, visibly, without. */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** A Redis server of the caller's own, on a socket in a folder of its own. */
export async function startRedis(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-redis-"));
  const socket = join(folder, "redis.sock");
  const server = spawn(
    "redis-server",
    ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder],
    {
      stdio: "ignore",
    },
  );
  await ready(socket, server);
  const stop = async () => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { url: socket, stop };
}

async function ready(socket: string, server: ChildProcess): Promise<void> {
  const redis = new Redis(socket, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on("error", () => undefined);
  try {
    const died = new Promise<never>((_, reject) =>
      server.once("exit", () => reject(new Error("redis-server ended"))),
    );
    await Promise.race([redis.ping(), died]);
  } finally {
    redis.disconnect();
  }
}
