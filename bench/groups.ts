import type { Chain } from "../src/chains/chain.ts";
import { chainOf } from "../src/chains/index.ts";
import { Follower } from "../src/pipeline/follow/follower.ts";
import { addressOf, InstantNode, makeContracts, onFreshDatabase, transferTo } from "./engine-world.ts";

const local = chainOf("local") as Chain;
const groups = Number(process.env.BENCH_GROUPS ?? 20_000);
const groupsPerBlock = 1_000;
const blocks = 100;

/**
 * Groups: one rule on a token, grouped by recipient; every block has 1,000 transfers, each to another recipient, and all
 * recipients take turns. Measured from block to commit, with all groups in memory and with so few that every group of a block
 * was evicted.
 */
export async function benchGroups(): Promise<void> {
  const inMemory = await measure(groups);
  const evicted = await measure(groups / 2);
  for (const [name, { p50, p99 }] of Object.entries({ inMemory, evicted }))
    console.log(`${name === "evicted" ? "evicted" : "in memory"}: p50 ${p50} ms, p99 ${p99} ms`);
  console.log(`evicted, times in memory: p50 ${(evicted.p50 / inMemory.p50).toFixed(1)}`);
}

async function measure(groupsInMemory: number): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  await onFreshDatabase(
    async (app, patient) => {
      await makeContracts(patient, 1, [1_000_000], { group_by: "args.to", window_seconds: 3_600 });
      const node = new InstantNode(
        groupsPerBlock,
        () => addressOf(0),
        (height, index) => transferTo((height * groupsPerBlock + index) % groups),
      );
      const follower = new Follower(app, local, node);
      await follower.step();
      for (let block = 0; block < blocks; block++) {
        node.tip++;
        const seen = performance.now();
        await follower.step();
        // The first turn of the recipients makes the groups.
        if (block >= groups / groupsPerBlock) times.push(performance.now() - seen);
      }
    },
    { GROUPS_IN_MEMORY: String(groupsInMemory) },
  );
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  return { p50: at(0.5), p99: at(0.99) };
}
