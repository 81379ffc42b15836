import { expect, test } from "vitest";
import { runSize } from "../support/run-size.ts";
import { type Lane, makeLane, vacuumLane } from "./lane.ts";
import { simulate } from "./world.ts";

/** SIM_SEED=n simulates one world, SIM_TRACE=1 prints what happens in it. */
const only = process.env.SIM_SEED;
const first = Number(process.env.SIM_FIRST ?? 1);
const worlds = runSize("SIM_WORLDS", { short: 2, long: 10_000 });
const seeds = only ? [Number(only)] : Array.from({ length: worlds }, (_, index) => first + index);

/** Worlds run side by side, each in a database of its own: a single one mostly waits for PostgreSQL. */
const lanes = await Promise.all(Array.from({ length: only ? 1 : 3 }, makeLane));

test(`engines that die, pause, compete and reorganise store what the chain and the user demand (${seeds.length} worlds)`, async () => {
  const waiting = [...seeds];
  const runLane = async (lane: Lane) => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      if (seed % 500 === 0) process.stdout.write(`simulating world ${seed}\n`);
      if (seed % 20 === 0) await vacuumLane(lane);
      await simulate(lane, seed).catch((error: unknown) => {
        waiting.length = 0;
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(`SIM_SEED=${seed} vitest run test/simulation fails: ${message}`, { cause: error });
      });
    }
  };
  const ends = await Promise.allSettled(lanes.map(runLane));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}, 7_200_000);

test.skipIf(only || !process.env.TEST_LONG)(
  "a seed decides everything that happens in a simulated world",
  async () => {
    const [lane] = lanes as [Lane];
    const digest = await simulate(lane, 7);
    expect(await simulate(lane, 7)).toBe(digest);
    expect(await simulate(lane, 8)).not.toBe(digest);
  },
);
