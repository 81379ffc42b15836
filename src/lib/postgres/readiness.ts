import pg from "pg";
import { systemClock } from "../clock.ts";
import { OperatorError } from "../operator-error.ts";
import { diskFull, isDiskFull } from "./run-program.ts";
import type { ServerProcess } from "./server-process.ts";
import { port } from "./socket-folder.ts";

const noAnswerTimeoutMs = 30_000;
// Crash recovery may take long and must not be interrupted.
const recoveryTimeoutMs = 15 * 60_000;

/** Returns when the server accepts connections; rejects when it exits, does not answer or rejects the connection. */
export async function waitUntilReady(
  server: ServerProcess,
  socketFolder: string,
  user: string,
): Promise<void> {
  const since = performance.now();
  while (true) {
    const answer = await Promise.race([askServer(socketFolder, user), server.ended.then(() => "ended")]);
    if (answer === "ready") return;
    if (answer === "ended") throw new OperatorError(await explain(server));
    const waitedMs = performance.now() - since;
    if (waitedMs > (answer === "recovering" ? recoveryTimeoutMs : noAnswerTimeoutMs)) {
      throw new OperatorError(
        `PostgreSQL did not accept connections within ${Math.round(waitedMs / 1000)} seconds: ${server.recentLog()}`,
      );
    }
    await systemClock.sleep(20);
  }
}

async function explain(server: ServerProcess): Promise<string> {
  const ended = await server.ended;
  const reason = server.recentLog() || ended;
  if (isDiskFull(reason)) return diskFull;
  return (
    `PostgreSQL did not start: ${reason.replace(/\.$/, "")}. Correct what it names, or set DATA_DIR to another folder or ` +
    "DATABASE_URL to a PostgreSQL of your own."
  );
}

type Answer = "ready" | "recovering" | "silent";

async function askServer(socketFolder: string, user: string): Promise<Answer> {
  const client = new pg.Client({
    host: socketFolder,
    port,
    user,
    database: "postgres",
    ssl: false,
    connectionTimeoutMillis: 2_000,
  });
  // Without a listener, a server that exits during the query would end this process.
  client.on("error", () => {});
  try {
    await client.connect();
    return "ready";
  } catch (error) {
    return readRefusal(error);
  } finally {
    await client.end().catch(() => {});
  }
}

function readRefusal(error: unknown): Answer {
  if (!(error instanceof pg.DatabaseError)) return "silent";
  if (error.code === "57P03") return "recovering";
  // All connections are in use by our own pools, so the server is ready.
  if (error.code === "53300") return "ready";
  throw new OperatorError(`PostgreSQL rejected the connection: ${error.message}.`, { cause: error });
}
