import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll } from "vitest";
import { chainOf } from "../../src/chains/index.ts";
import { makeLog } from "../../src/lib/log/log.ts";
import { startPostgres } from "../../src/lib/postgres/start.ts";
import { type Db, openStore } from "../../src/store/open-store.ts";
import type { Dice } from "../pipeline/dice.ts";
import { watchSimulated } from "../simchain/watch.ts";
import { harness } from "../support/harness.ts";
import { copyInitialised } from "../support/initialised-folder.ts";
import { startJournal } from "./journal.ts";
import { MovingChain } from "./moving-chain.ts";

/** The parts that outlive every engine: a durable database, the chain, and the configuration. */
export type World = Awaited<ReturnType<typeof makeWorld>>;

export async function makeWorld(seed: number, dice: Dice, key = "local") {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-crash-"));
  await copyInitialised(join(folder, "postgres"));
  const server = await startPostgres({ folder: join(folder, "postgres"), log: () => undefined });
  const { host, port, user } = server;
  const address = { host, port, user, database: "tocsin" };
  const log = makeLog("silent");
  const store = openStore(address, log, { max: 3 });
  await startJournal(store.db);
  const chain = await MovingChain.start(seed, chainOf(key)?.chain_id);
  afterAll(async () => {
    await chain.close();
    await store.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const h = await harness({ address, env: { [`RPC_${key.toUpperCase()}`]: chain.urls.join(",") } });
  const owner = await h.personOn("enterprise");
  const watched = await watchSimulated(owner.client, dice, { chain: key });

  /** Queries the database, and retries while it restarts. */
  async function ask<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work(store.db);
      } catch (error) {
        if (attempt > 150) throw error;
        await sleep(100);
      }
    }
  }

  return {
    chain,
    owner,
    watched,
    db: store.db,
    ask,
    order: { address, chain: key, urls: chain.urls, folder },
    killPostgres: () => process.kill(server.pid() ?? 0, "SIGKILL"),
    /** Expires the lease of a dead engine. */
    expireLease: () => ask((db) => sql`update chain_leases set expires_at = '-infinity'`.execute(db)),
    async waitForLease(): Promise<void> {
      while (!(await ask(isLeaseFree))) await sleep(100);
    },
    async cursor(): Promise<string | undefined> {
      return ask((db) =>
        db
          .selectFrom("chain_cursors")
          .select("hash")
          .executeTakeFirst()
          .then((row) => row?.hash),
      );
    },
  };
}

export async function isLeaseFree(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from chain_leases where expires_at >= clock_timestamp()`.execute(db);
  return rows.length === 0;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
