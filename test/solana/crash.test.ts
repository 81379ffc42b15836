import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { enginePoints } from "../../src/faults.ts";
import { makeDice } from "../pipeline/dice.ts";
import { bundledChild } from "../support/bundle.ts";
import { runSize } from "../support/run-size.ts";
import { memo, memoProgram } from "./cluster/programs.ts";
import type { EngineOrder } from "./engine-child.ts";
import { makeSolanaWorld } from "./world.ts";

/** SOLANA_KILLS=200 is the long version; SOLANA_CRASH_SEED selects another order of kills. */
const kills = runSize("SOLANA_KILLS", { short: 2, long: 60 });
const seed = Number(process.env.SOLANA_CRASH_SEED ?? 1);
const dice = makeDice(seed);
const world = await makeSolanaWorld({ nodes: 2 });
const { cluster, h } = world;
const folder = await mkdtemp(join(tmpdir(), "tocsin-solana-crash-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test(`the Solana engine loses and duplicates nothing after ${kills} kills (SOLANA_CRASH_SEED=${seed})`, async () => {
  const target = await world.watch(memoProgram, {
    target_type: "solana_event",
    config: { event_name: "hit", match: "log" },
  });
  await world.rule(target.id, { operator: "gte", threshold: 1, aggregation: "count", window_seconds: 60 });
  await world.runUntilIdle();
  await world.restart();
  const producing = keepProducing();
  for (let kill = 0; kill < kills; kill++) {
    // Every second point, so that a few kills are spread over all of them.
    const point = enginePoints[(2 * kill) % enginePoints.length] ?? "engine.after_commit";
    const isRare = point === "engine.after_load" || point === "engine.after_rollback";
    await runUntilKilled({ point, hits: isRare ? 1 : dice.between(1, 3) });
  }
  await producing.stop();
  cluster.finalize(cluster.produce());
  await expireLease();
  await world.runUntilIdle();
  cluster.finalize(cluster.produce([], { seconds: 100 }));
  await world.runUntilIdle();
  await verify();
}, 600_000);

/** Fast machines kill a few processes before enough has happened. */
const minTransactions = 12;

/** Produces slots, with occasional rollbacks that move transactions, until stopped and there are enough. */
function keepProducing() {
  let isOver = false;
  const move = async () => {
    for (let count = 0; !isOver || transactionsOnChain().length < minTransactions; count++) {
      if (dice.chance(0.3)) {
        const removed = cluster.rollBack(cluster.head - dice.between(1, 4));
        cluster.produce(removed.filter(() => dice.chance(0.5)));
      }
      cluster.produce([await cluster.run([memo(`hit ${count}`)])], { seconds: dice.pick([1, 1, 90]) });
      if (dice.chance(0.3)) cluster.finalize(cluster.head - 6);
      await new Promise((done) => setTimeout(done, dice.between(20, 200)));
    }
  };
  const done = move();
  return {
    async stop() {
      isOver = true;
      await done;
    },
  };
}

async function runUntilKilled(fault: NonNullable<EngineOrder["fault"]>): Promise<void> {
  await expireLease();
  const child = fork(bundledChild("test/solana/engine-child.ts"), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: [],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  });
  const order: EngineOrder = { address: h.address, urls: world.nodes.map(({ url }) => url), folder, fault };
  const ended = once(child, "exit");
  child.send(order);
  const [, signal] = await ended;
  expect(signal, fault.point).toBe("SIGKILL");
}

/** Expires the lease of the killed process. */
async function expireLease(): Promise<void> {
  await sql`update chain_leases set expires_at = '-infinity' where chain = 'solana'`.execute(h.app.db);
}

function transactionsOnChain(): string[] {
  return cluster.all
    .filter(({ slot }) => slot > 1000)
    .flatMap(({ slot, ran }) => ran.map(({ signature }) => `${slot}:${signature}`));
}

/** Expects one sample for each transaction on the chain, and no active event without one. */
async function verify(): Promise<void> {
  const truth = transactionsOnChain();
  const { rows } = await sql<{ sample: string }>`
    select concat(height, ':', evidence->>'tx_hash') as sample from samples order by height, position`.execute(
    h.app.db,
  );
  expect(rows.map(({ sample }) => sample)).toEqual(truth);
  const { rows: events } = await sql<{ status: string; at: string; netNotices: number }>`
    select e.status, concat(e.block_number, ':', e.tx_hash) as at,
      (select count(*) filter (where n.kind = 'fired') - count(*) filter (where n.kind = 'retracted')
       from alert_notices n where n.event_id = e.id)::int as "netNotices"
    from alert_events e`.execute(h.app.db);
  expect(events.filter(({ status }) => status !== "retracted").length).toBeGreaterThan(0);
  for (const { status, at, netNotices } of events) {
    const isActive = status !== "retracted";
    expect({ at, netNotices }).toEqual({ at, netNotices: isActive ? 1 : 0 });
    if (isActive) expect(truth).toContain(at);
  }
}
