import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
import { BulkheadFull } from "../lib/concurrency/bulkhead.ts";
import { currentOwner } from "../lib/concurrency/current-owner.ts";
import { makeFairQueue, OwnerBusy } from "../lib/concurrency/fair-queue.ts";
import type { Log } from "../lib/log/log.ts";
import { maxStatementMs } from "../lib/postgres/max-statement-ms.ts";
import { ordinaryName } from "./connection/connection-names.ts";
import { paceResults } from "./connection/paced-results.ts";
import { toQuery } from "./connection/prepared-statements.ts";
import { columnTypes } from "./connection/timestamps.ts";
import { UnsentStatement } from "./connection/unsent-statement.ts";
import type { Database } from "./tables.ts";

/** A connection pool or a transaction: the first parameter of every store function. */
export type Db = Kysely<Database>;

export type Store = { db: Db; pool: pg.Pool; close(): Promise<void> };

/** The address of a database: a URL, or the socket folder of the embedded server. */
export type Address =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string };

/** Upper bounds for a statement and for connecting. */
const statementTimeoutMs = 4_000;
const defaultConnectTimeoutMs = 2_500;
/** What all orgs together get of the connections. The rest is for the authentication of requests and for the service itself. */
const orgShare = 0.6;

/**
 * Opens a pool. It connects on first use, so that an unreachable database does not fail here. A patient pool has no
 * statement timeout, for migrations. Transactions of a pool with another name are not ended for an urgent one.
 */
export function openStore(
  address: Address,
  log: Log,
  options: { max?: number; isPatient?: boolean; connectTimeoutMs?: number; name?: string } = {},
): Store {
  const pool = new pg.Pool({
    ...withoutName(address),
    types: columnTypes,
    max: options.max ?? 20,
    connectionTimeoutMillis: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
    ...(options.isPatient
      ? {}
      : { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + 500 }),
    idle_in_transaction_session_timeout: 15_000,
    // Frees the memory of prepared statements, and lets the statements that are frequent now be prepared.
    maxLifetimeSeconds: 3_600,
    application_name: options.name ?? ordinaryName,
    keepAlive: true,
  });
  let isClosing = false;
  // A broken connection fails its query and the pool replaces it. Without a listener either event would end the
  // process.
  const onLost = (error: Error) => isClosing || log.warn({ err: error }, "database connection lost");
  pool.on("error", onLost);
  pool.on("connect", (client) => client.on("error", (error) => losses.set(client, error)));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: closeSilent(pool) }) });
  const close = () => {
    isClosing = true;
    return db.destroy();
  };
  return { db, pool, close };
}

/** A name in the URL would take the place of ours, by which urgent transactions know those that they may end. */
function withoutName(address: Address): Address {
  if (!("connectionString" in address)) return address;
  return { connectionString: address.connectionString.replace(/(?<=[?&])application_name=[^&]*&?/g, "") };
}

/**
 * Removes a connection from the pool after an error or a timeout. Its statement may still be running, and after an
 * unanswered `begin` the next caller would write into a transaction that nobody commits.
 */
function closeSilent(pool: pg.Pool): PostgresPool {
  const lend = makeLender(pool);
  const connect = async () => {
    const client = await lend();
    let broken: Error | undefined;
    const query = async (text: string, parameters: unknown[]) => {
      if (broken) throw broken;
      return client.run(text, parameters).catch((error: Error) => {
        if (isBroken(error)) broken = error;
        throw error;
      });
    };
    return { query, release: () => client.release(broken) };
  };
  // Kysely's type also requires cursors, which are not used.
  return { connect, end: () => pool.end() } as unknown as PostgresPool;
}

/** Why connections were lost. */
const losses = new WeakMap<pg.ClientBase, Error>();

type Lent = { run(text: string, values: unknown[]): Promise<pg.QueryResult>; release(error?: Error): void };

/**
 * Lends connections. All orgs together get at most three fifths of them, and one org at most half of these; beyond that requests
 * wait, and then are rejected. Few orgs always leave some to others. The service itself is not limited.
 */
function makeLender(pool: pg.Pool): () => Promise<Lent> {
  const max = pool.options.max ?? 10;
  const queue = makeFairQueue({
    maxRunning: Math.max(4, Math.floor(max * orgShare)),
    maxRunningPerOwner: max,
    leavesRoom: true,
    reserved: 2,
    burstMs: 2_000,
    maxQueued: 10_000,
    // A burst of all that a key's rate limit allows in a minute waits; it is not rejected.
    maxQueuedPerOwner: 1_200,
    maxWaitMs: maxStatementMs(pool),
  });
  let lastReplyMs = performance.now();
  const lend = async (): Promise<Lent> => {
    const client = await pool.connect();
    const stopPacing = paceResults(client);
    return {
      run: async (text, values) => {
        const loss = losses.get(client);
        if (loss) throw new UnsentStatement(loss);
        const result = await client.query(toQuery(client, text, values));
        lastReplyMs = performance.now();
        return result;
      },
      release(error) {
        stopPacing();
        client.release(error);
      },
    };
  };
  const lendTo = (owner: string) =>
    new Promise<Lent>((resolve, reject) => {
      const askedMs = performance.now();
      const use = async () => {
        const client = await lend();
        await new Promise<void>((done) => {
          const release = (error?: Error) => {
            client.release(error);
            done();
          };
          resolve({ ...client, release });
        });
      };
      queue.run(owner, use).catch((error: unknown) => {
        // If the database has not replied since, it is what the org waited for.
        const isHanging = error instanceof OwnerBusy && lastReplyMs < askedMs;
        reject(isHanging ? new BulkheadFull() : error);
      });
    });
  return () => {
    const owner = currentOwner();
    return owner === undefined ? lend() : lendTo(owner);
  };
}

/**
 * Errors from the server have a severity; others come from the connection. A shutdown error ends the connection too, and a
 * migration by a newer version makes prepared statements unusable (0A000).
 */
function isBroken(error: Error & { severity?: string; code?: string }): boolean {
  return error.severity === undefined || /^(08|57P|0A000)/.test(error.code ?? "");
}
