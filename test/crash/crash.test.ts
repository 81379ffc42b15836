import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import type { Db } from "../../src/store/open-store.ts";
import { makeDice } from "../pipeline/dice.ts";
import { verifyStore } from "../pipeline/verify.ts";
import { runSize } from "../support/run-size.ts";
import { saveJournal } from "./journal.ts";
import { watchInTurn } from "./plans.ts";
import { Executioner } from "./rounds.ts";
import { makeSchedule, pointsOf } from "./schedule.ts";
import { isLeaseFree, makeWorld, sleep } from "./world.ts";

/** CRASH_KILLS=n sets the number of kills; CRASH_SEED=n selects another chain and another order of kills. */
const kills = runSize("CRASH_KILLS", { short: 3, long: 1_000 });
const longSeeds = [7771, 303, 404, 606, 707, 808];
const chosen = process.env.CRASH_SEED;
const seeds = chosen ? [Number(chosen)] : process.env.TEST_LONG ? longSeeds : [1];
/**
 * After every restart at first, then after every tenth: the oracle starts from scratch, so a check costs more the longer the
 * chain is.
 */
const isCheckDue = (round: number) => round < 100 || round % 10 === 9;

const runs = await Promise.all(seeds.map(prepare));
type Run = Awaited<ReturnType<typeof prepare>>;

async function prepare(seed: number) {
  const dice = makeDice(seed);
  const world = await makeWorld(seed, dice);
  const executioner = new Executioner(world);
  afterAll(() => executioner.close());
  return { seed, dice, world, executioner };
}

test.each(runs)(
  `nothing is lost or duplicated after ${kills} kills (CRASH_SEED=$seed)`,
  async (run) => {
    const { dice, world, executioner } = run;
    await begin(run);
    world.chain.run();
    const plans = await watchInTurn(world.owner);
    for (const [index, round] of makeSchedule(dice, kills).entries()) {
      await plans.next();
      await executioner.play(round);
      if (isCheckDue(index)) await verify(run, `after round ${index}`);
      if (index % 100 === 99)
        process.stdout.write(`${index + 1} rounds, block ${world.chain.tree.tip.height}\n`);
    }
    world.chain.settle();
    await finish(run);
    expect(await world.cursor()).toBe(world.chain.tree.tip.hash);
    const events = await verify(run, "at the end");
    await compareScans(world.db);
    report(run, events);
    expect(events).toBeGreaterThan(10);
    expect(pointsOf(kills).filter((point) => !executioner.kills.has(point))).toEqual([]);
  },
  7_200_000,
);

/** Compares the store with the branch that it has followed so far; a difference leaves the journal behind. */
async function verify({ world }: Run, when: string): Promise<number> {
  const tip = world.chain.tree.get((await world.cursor()) ?? "");
  if (!tip) throw new Error("The cursor is at a block that never existed.");
  const truth = { tip, startHeight: world.chain.begun, watched: world.watched };
  try {
    return (await verifyStore(world.db, truth)).events;
  } catch (error) {
    const path = await saveJournal(world.db);
    throw new Error(`The store differs ${when}, at block ${tip.height}; journal in ${path}.`, {
      cause: error,
    });
  }
}

/** Waits until the start of the chain is stored: it must be the same for every engine. */
async function begin({ executioner }: Run): Promise<void> {
  const engine = await executioner.start();
  expect(await engine.until(() => engine.count("engine.after_load") > 0, 60_000)).toBe(true);
  await engine.stop();
}

/** Runs one engine without faults until it has caught up, and stops it gracefully. */
async function finish({ world, executioner }: Run): Promise<void> {
  const engine = await executioner.start();
  const deadline = Date.now() + 180_000;
  while ((await world.cursor()) !== world.chain.tree.tip.hash && Date.now() < deadline) await sleep(50);
  await engine.stop();
  expect(await world.ask(isLeaseFree)).toBe(true);
}

/** A corrupt index would give another count than the table. */
async function compareScans(db: Db): Promise<void> {
  for (const table of ["samples", "alert_events", "alert_notices", "rule_states", "chain_blocks"]) {
    const count = (methods: string[]) =>
      db.transaction().execute(async (tx) => {
        for (const method of methods) await sql`select set_config(${method}, 'off', true)`.execute(tx);
        const { rows } = await sql<{
          total: string;
        }>`select count(*) as total from ${sql.table(table)}`.execute(tx);
        return rows[0]?.total;
      });
    const byTable = await count(["enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan"]);
    expect(await count(["enable_seqscan"])).toBe(byTable);
  }
}

function report({ seed, world, executioner }: Run, events: number): void {
  const times = executioner.recoveries.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(times[Math.floor(part * (times.length - 1))] ?? 0);
  const total = [...executioner.kills.values()].reduce((sum, count) => sum + count, 0);
  const lines = [...executioner.kills].sort().map(([where, count]) => `  ${where}: ${count}`);
  process.stdout.write(
    [
      `${total} kills, seed ${seed}; ${world.chain.tree.tip.height} blocks, ${events} events`,
      ...lines,
      `  first commit after a start: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${times.length}\n`,
    ].join("\n"),
  );
}
