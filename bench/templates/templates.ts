import type { Chain } from "../../src/chains/chain.ts";
import { chainOf } from "../../src/chains/index.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { makeContracts, onFreshDatabase } from "../engine-world.ts";
import { applyToAll } from "./apply-to-all.ts";
import { TemplateNode } from "./node.ts";

const local = chainOf("local") as Chain;
const contracts = Number(process.env.BENCH_CONTRACTS ?? 5_000);
const blocks = Number(process.env.BENCH_BLOCKS ?? 150);
const [logs, transactions] = [1_000, 200];
const mebibyte = 1024 * 1024;

type Figures = { p50: number; p99: number; cpuMs: number; mebibytes: number; readsPerBlock: number };

/**
 * Templates: the recommended rules of all kinds of contracts on 5,000 contracts, whose state is read and whose events and
 * transactions are measured; then as many rules that only count an event. Measured from block to commit.
 */
export async function benchTemplates(): Promise<void> {
  let rules = 0;
  const applied = await measure("recommended rules", async (patient) => {
    const made = await applyToAll(patient, contracts);
    console.log(`${contracts} contracts of all kinds with ${made.targets} targets and ${made.rules} rules`);
    rules = made.rules;
  });
  const perContract = Math.round(rules / contracts);
  const plain = await measure(`${perContract} rules on one event`, (patient) =>
    // A contract has its next log after the window, so that one rule fires and the others do not.
    makeContracts(patient, contracts, [1, ...Array.from({ length: perContract - 1 }, () => 2)], {
      window_seconds: 30,
    }),
  );
  const ratio = (of: (figures: Figures) => number) => (of(applied) / of(plain)).toFixed(1);
  console.log(
    `recommended, times rules on one event: p50 ${ratio(({ p50 }) => p50)}, p99 ${ratio(({ p99 }) => p99)}, ` +
      `CPU ${ratio(({ cpuMs }) => cpuMs)}, memory ${ratio(({ mebibytes }) => mebibytes)}`,
  );
}

type Prepare = Parameters<typeof onFreshDatabase>[0] extends (app: infer _, db: infer Db) => unknown
  ? (db: Db) => Promise<void>
  : never;

async function measure(name: string, prepare: Prepare): Promise<Figures> {
  let figures: Figures = { p50: 0, p99: 0, cpuMs: 0, mebibytes: 0, readsPerBlock: 0 };
  await onFreshDatabase(async (app, patient) => {
    await prepare(patient);
    const node = new TemplateNode(contracts, logs, transactions);
    figures = await follow(new Follower(app, local, node), node);
  });
  const { p50, p99, cpuMs, mebibytes, readsPerBlock } = figures;
  console.log(
    `${name}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms CPU a block, ` +
      `${readsPerBlock.toFixed(0)} reads of state a block, ${mebibytes.toFixed(0)} MiB resident`,
  );
  return figures;
}

async function follow(follower: Follower, node: TemplateNode): Promise<Figures> {
  await discoverCode(follower, node);
  const times: number[] = [];
  const [before, readBefore] = [process.cpuUsage(), node.reads];
  for (let block = 0; block < blocks; block++) {
    node.tip++;
    const seen = performance.now();
    await follower.step();
    times.push(performance.now() - seen);
  }
  const { user, system } = process.cpuUsage(before);
  const readsPerBlock = (node.reads - readBefore) / blocks;
  await follower.stop();
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return {
    ...{ p50: at(0.5), p99: at(0.99), cpuMs: (user + system) / 1000 / blocks },
    ...{ mebibytes: process.memoryUsage.rss() / mebibyte, readsPerBlock },
  };
}

/** The engine finds out over many blocks what is behind new contracts: it reads four slots of each, 200 in a block. */
async function discoverCode(follower: Follower, node: TemplateNode): Promise<void> {
  const discoveryBlocks = Math.ceil((4 * contracts) / 200) + 20;
  for (let block = 0; block < discoveryBlocks; block++) {
    node.tip++;
    await follower.step();
  }
}
