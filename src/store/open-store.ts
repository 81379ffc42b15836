import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
import type { Log } from "../lib/log.ts";
import type { Database } from "./tables.ts";

/** A connection or a transaction: what every store function takes first. */
export type Db = Kysely<Database>;

export type Store = { db: Db; pool: pg.Pool; close(): Promise<void> };

/** Where a database is: a URL, or the socket folder of the embedded server. */
export type Address =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string };

/** No statement may hold a request longer than this; an unreachable server is noticed sooner. */
const statementTimeoutMs = 4_000;
const connectTimeoutMs = 2_500;

/**
 * Opens a pool. It connects when first used, so a database that is away does not stop this. A patient pool
 * lets statements run as long as they need, which migrations may.
 */
export function openStore(
  address: Address,
  log: Log,
  options: { max?: number; isPatient?: boolean } = {},
): Store {
  const pool = new pg.Pool({
    ...address,
    max: options.max ?? 20,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(options.isPatient
      ? {}
      : { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + 500 }),
    idle_in_transaction_session_timeout: 15_000,
    application_name: "tocsin",
    keepAlive: true,
  });
  let isClosing = false;
  // A broken connection fails its query and is replaced by the pool; unheard, either event would end the process.
  const onLost = (error: Error) => isClosing || log.warn({ err: error }, "a database connection was lost");
  pool.on("error", onLost);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: closeSilent(pool) }) });
  const close = () => {
    isClosing = true;
    return db.destroy();
  };
  return { db, pool, close };
}

/**
 * Keeps a connection that broke or did not answer in time from being used again: what was asked may still happen on
 * it, and after a `begin` nobody waited for, the next caller's write would end up in a transaction without a commit.
 */
function closeSilent(pool: pg.Pool): PostgresPool {
  const connect = async () => {
    const client = await pool.connect();
    let broken: Error | undefined;
    const query = async (text: string, parameters: unknown[]) => {
      if (broken) throw broken;
      return client.query(text, parameters).catch((error: Error) => {
        if (isBroken(error)) broken = error;
        throw error;
      });
    };
    return { query, release: () => client.release(broken) };
  };
  // Kysely's type also wants cursors, which nothing here uses.
  return { connect, end: () => pool.end() } as unknown as PostgresPool;
}

/** An answer from the server has a severity; anything else came from the connection. A shutdown is the last answer. */
function isBroken(error: Error & { severity?: string; code?: string }): boolean {
  return error.severity === undefined || /^(08|57P)/.test(error.code ?? "");
}
