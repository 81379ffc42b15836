import { fork } from "node:child_process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "kysely";
import type { Chain } from "../src/chains/chain.ts";
import { makeEvmReader } from "../src/chains/evm/reader.ts";
import { chainOf } from "../src/chains/index.ts";
import type { ChainReader } from "../src/chains/reader.ts";
import { systemClock } from "../src/lib/clock.ts";
import { Follower } from "../src/pipeline/follow/follower.ts";
import { addressOf, InstantNode, makeContracts, onFreshDatabase } from "./engine-world.ts";

const local = chainOf("local") as Chain;
const mebibyte = 1024 * 1024;
const resident = () => Math.round(process.memoryUsage.rss() / mebibyte);

/**
 * Catch-up: blocks of 50 logs, five of them of 1,000 monitored contracts, from node to commit. First over HTTP from a
 * node in its own process, then from one in this process, which allows a million blocks.
 */
export async function benchCatchUp(): Promise<void> {
  const overHttp = Number(process.env.BENCH_HTTP_BLOCKS ?? 20_000);
  console.log("over HTTP, reader included");
  await measureCatchUp(overHttp, await startHttpNode(overHttp));
  const within = Number(process.env.BENCH_BLOCKS ?? 20_000);
  console.log("in this process, without the reader");
  await measureCatchUp(within, inProcess(within));
}

async function measureCatchUp(blocks: number, node: BenchNode): Promise<void> {
  await onFreshDatabase(async (app, patient) => {
    await makeContracts(patient, 1_000, [1_000_000]);
    await catchUp(new Follower(app, local, node.reader), node.go, blocks);
  });
  await node.stop();
}

async function catchUp(follower: Follower, go: () => void, blocks: number): Promise<void> {
  await follower.step();
  const first = follower.cursor?.height ?? 0;
  go();
  const started = performance.now();
  const before = process.cpuUsage();
  let reported = 0;
  for (let done = 0; done < blocks; ) {
    await follower.step();
    done = (follower.cursor?.height ?? 0) - first;
    if (done - reported < blocks / 5) continue;
    reported = done;
    const perSecond = Math.round(done / ((performance.now() - started) / 1000));
    const cpuMs = (cpuMsSince(before) / done).toFixed(2);
    console.log(`${done} blocks: ${perSecond} blocks/s, ${cpuMs} ms CPU each, ${resident()} MiB resident`);
  }
}

/** CPU time is comparable on a busy machine; the rate is not. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

type BenchNode = { reader: ChainReader; go(): void; stop(): Promise<void> };

function inProcess(blocks: number): BenchNode {
  const isWatched = (index: number) => index % 10 === 0;
  const reader = new InstantNode(50, (height, index) =>
    addressOf(isWatched(index) ? (height * 7 + index) % 1_000 : 5_000_000 + index),
  );
  const go = () => {
    reader.tip += blocks;
  };
  return { reader, go, stop: async () => undefined };
}

/** Starts a node in its own process. */
async function startHttpNode(blocks: number): Promise<BenchNode> {
  const child = fork(new URL("http-node.ts", import.meta.url), [String(blocks + 1)]);
  const url = await new Promise<string>((resolve) =>
    child.once("message", (message) => resolve(String(message))),
  );
  const reader = makeEvmReader({ chain: local, urls: [url], clock: systemClock });
  const stop = async () => {
    await reader.close();
    child.kill();
  };
  return { reader, go: () => child.send("go"), stop };
}

/**
 * Detection: 100,000 contracts with 10 rules each; blocks of 1,000 logs, 200 of monitored contracts, each changing
 * ten rules and firing one alert. Measured from block to commit.
 */
export async function benchDetection(): Promise<void> {
  const contracts = Number(process.env.BENCH_CONTRACTS ?? 100_000);
  const blocks = 300;
  // The first rule of a contract fires on every log; the others are evaluated.
  const thresholds = [1, ...Array.from({ length: 9 }, () => 2)];
  await onFreshDatabase(async (app, patient) => {
    await makeContracts(patient, contracts, thresholds);
    const node = new InstantNode(1_000, (height, index) =>
      addressOf(index < 200 ? (height * 211 + index * 17) % contracts : 50_000_000 + index),
    );
    const follower = new Follower(app, local, node);
    const started = performance.now();
    const loading = process.cpuUsage();
    await follower.step();
    const loadingCpu = cpuMsSince(loading) / 1000;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${contracts} contracts and ${contracts * 10} rules loaded in ${seconds} s (${loadingCpu.toFixed(1)} s CPU), ` +
        `${resident()} MiB resident`,
    );
    collectGarbage();
    const times: number[] = [];
    const before = process.cpuUsage();
    for (let block = 0; block < blocks; block++) {
      node.tip++;
      const seen = performance.now();
      await follower.step();
      times.push(performance.now() - seen);
    }
    const cpuMs = (cpuMsSince(before) / blocks).toFixed(0);
    const sorted = times.slice(5).sort((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
    const { rows } = await sql<{ total: string }>`select count(*) as total from alert_notices`.execute(
      patient,
    );
    console.log(
      `${blocks} blocks of 1,000 logs with 200 of watched contracts, ${rows[0]?.total} alerts and ends noticed`,
    );
    console.log(
      `block seen to committed: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${cpuMs} ms CPU each, ${resident()} MiB resident`,
    );
  });
}

/** What loading left behind would otherwise be collected at some block, in one version and not in another. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
