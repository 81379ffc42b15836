import type { Chain } from "../src/chains/chain.ts";
import { chainOf } from "../src/chains/index.ts";
import { Follower } from "../src/pipeline/follow.ts";
import { addressOf, InstantNode, makeContracts, onFreshDatabase } from "./engine-world.ts";

const local = chainOf("local") as Chain;
const mebibyte = 1024 * 1024;
const resident = () => Math.round(process.memoryUsage.rss() / mebibyte);

/**
 * Catch-up: blocks of 50 logs, five of them of one of 1,000 watched contracts, from a node that answers at once to what is
 * committed. BENCH_BLOCKS=1000000 for the long version.
 */
export async function benchCatchUp(): Promise<void> {
  const blocks = Number(process.env.BENCH_BLOCKS ?? 20_000);
  await onFreshDatabase(async (app, patient) => {
    await makeContracts(patient, 1_000, 1, 1_000_000);
    const isWatched = (index: number) => index % 10 === 0;
    const node = new InstantNode(50, (height, index) =>
      addressOf(isWatched(index) ? (height * 7 + index) % 1_000 : 5_000_000 + index),
    );
    const follower = new Follower(app, local, node);
    await follower.step();
    const first = node.tip;
    node.tip += blocks;
    const started = performance.now();
    let reported = 0;
    while ((follower.cursor?.height ?? 0) < node.tip) {
      await follower.step();
      const done = (follower.cursor?.height ?? 0) - first;
      if (done - reported >= blocks / 5) {
        reported = done;
        const perSecond = Math.round(done / ((performance.now() - started) / 1000));
        console.log(`${done} blocks: ${perSecond} blocks/s, ${resident()} MiB resident`);
      }
    }
  });
}

/**
 * Detection: 100,000 contracts with 10 rules each loaded; blocks of 1,000 logs, 200 of watched contracts, each moving its
 * rules. From a block seen to everything about it committed.
 */
export async function benchDetection(): Promise<void> {
  const contracts = Number(process.env.BENCH_CONTRACTS ?? 100_000);
  const blocks = 60;
  await onFreshDatabase(async (app, patient) => {
    await makeContracts(patient, contracts, 10, 2);
    const node = new InstantNode(1_000, (height, index) =>
      addressOf(index < 200 ? (height * 211 + index * 17) % contracts : 50_000_000 + index),
    );
    const follower = new Follower(app, local, node);
    const started = performance.now();
    await follower.step();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${contracts} contracts and ${contracts * 10} rules loaded in ${seconds} s, ${resident()} MiB resident`,
    );
    const times: number[] = [];
    for (let block = 0; block < blocks; block++) {
      node.tip++;
      const seen = performance.now();
      await follower.step();
      times.push(performance.now() - seen);
    }
    const sorted = times.slice(5).sort((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
    console.log(`block seen to committed: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${resident()} MiB resident`);
  });
}
