import { afterAll, expect, test } from "vitest";
import type { EnginePoint } from "../../src/faults.ts";
import type { ChainInfo } from "../../src/wire/contracts/chains.ts";
import { makeDice } from "../pipeline/dice.ts";
import { verifyStore } from "../pipeline/verify.ts";
import { casesOf, runSize } from "../support/run-size.ts";
import { watchOnly } from "./plans.ts";
import { Executioner } from "./rounds.ts";
import type { Round } from "./schedule.ts";
import { makeWorld, sleep } from "./world.ts";

/** CRASH_PLAN_KILLS=n sets the number of kills in each plan; CRASH_SEED=n another chain and another order of kills. */
const kills = runSize("CRASH_PLAN_KILLS", { short: 1, long: 60 });
const seed = Number(process.env.CRASH_SEED ?? 1);

// A chain of which only the headers of blocks with watched events are read.
const key = "arbitrum";
const dice = makeDice(seed);
const world = await makeWorld(seed, dice, key);
const { chain, owner, watched, db } = world;
const executioner = new Executioner(world);
afterAll(() => executioner.close());

const plans = casesOf(["nothing", "state", "logs"] as const, (plan) => plan === "logs");
const points: EnginePoint[] = ["engine.before_commit", "engine.after_cursor", "engine.after_commit"];

/** A chain that is rarely polled passes each point once, right after the start. */
function makeRound(): Round {
  const waitsForLease = false;
  return dice.chance(0.6)
    ? { kind: "point", point: dice.pick(points), hits: 1, waitsForLease }
    : { kind: "any_moment", afterMs: dice.between(50, 500), waitsForLease };
}

test(`after ${kills} kills in each plan from nothing to some events, the store matches the chain (CRASH_SEED=${seed})`, async () => {
  await watchOnly(owner, "nothing");
  await catchUp();
  const startHeight = chain.tree.tip.height;
  let events = 0;
  for (const reads of plans) {
    const changedAt = chain.tree.tip.height;
    chain.raiseFloor();
    await watchOnly(owner, reads);
    chain.run();
    for (let round = 0; round < kills; round++) await executioner.play(makeRound());
    chain.settle();
    await catchUp();
    const { tip } = chain.tree;
    const countedAbove = reads === "logs" ? changedAt : tip.height;
    const truth = { tip, startHeight, countedAbove, watched, chain: key, isSparse: true };
    events += (await verifyStore(db, truth)).events;
    expect(await planOf(key)).toBe(reads);
  }
  expect(events).toBeGreaterThan(0);
}, 3_600_000);

/** Runs one engine without faults until it is at the head of the chain, which does not move. */
async function catchUp(): Promise<void> {
  const engine = await executioner.start();
  const deadline = Date.now() + 60_000;
  while ((await world.cursor()) !== chain.tree.tip.hash && Date.now() < deadline) await sleep(20);
  expect(await world.cursor()).toBe(chain.tree.tip.hash);
  await engine.stop();
}

/** The plan by which the chain was read last. */
async function planOf(chainKey: string): Promise<unknown> {
  const chains = (await owner.client.get("/chains")).body as ChainInfo[];
  return chains.find(({ chain: one }) => one === chainKey)?.reading?.plan;
}
