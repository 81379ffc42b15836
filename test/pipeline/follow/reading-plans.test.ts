import { expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { makeEvmReader } from "../../../src/chains/evm/reader.ts";
import { chainOf } from "../../../src/chains/index.ts";
import type { ReadingPlan } from "../../../src/chains/reading-plan.ts";
import { Follower } from "../../../src/pipeline/follow/follower.ts";
import type { Target } from "../../../src/wire/contracts/targets.ts";
import { contracts } from "../../simchain/contents.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import { makeNode } from "../../simchain/node.ts";
import { Tree } from "../../simchain/tree.ts";
import { watchSimulated } from "../../simchain/watch.ts";
import { harness, type Person } from "../../support/harness.ts";
import { runSize } from "../../support/run-size.ts";
import { type Provider, serveProvider } from "../../zoo/proxy.ts";
import { type Dice, makeDice } from "../dice.ts";
import { verifyStore } from "../verify.ts";

/** PLAN_SEEDS=n sets the number of seeds, PLAN_SEED=n runs one. */
const seeds = process.env.PLAN_SEED
  ? [Number(process.env.PLAN_SEED)]
  : Array.from({ length: runSize("PLAN_SEEDS", { short: 1, long: 500 }) }, (_, index) => index + 1);

/** PLAN_MOVES=n sets the least number of moves of the chain per seed. */
const minMoves = runSize("PLAN_MOVES", { short: 4, long: 8 });

const h = await harness();
const local = chainOf("local") as Chain;
/** A chain whose headers are read only where blocks have watched events. */
const fast: Chain = { ...local, block_time_ms: 250, alwaysProducesBlocks: true };

const receipts = { target_type: "tx_rate" };
const traces = {
  target_type: "function_call_rate",
  config: { function_signature: "touch(bytes32)", internal: true },
};

type Plan = {
  name: string;
  chain: Chain;
  reads: ReadingPlan["reads"];
  /** A target that makes the engine read whole blocks. */
  more?: object;
  /** What is watched in the first half. */
  before?: "nothing" | "state";
};

/** How the chain is read. Each seed uses one plan, some after another one. */
const plans: Plan[] = [
  { name: "events of every block", chain: local, reads: "logs" },
  { name: "events of some blocks", chain: fast, reads: "logs" },
  { name: "receipts", chain: local, reads: "blocks", more: receipts },
  { name: "traces", chain: local, reads: "blocks", more: traces },
  { name: "state", chain: local, reads: "state" },
  { name: "nothing", chain: fast, reads: "nothing" },
  { name: "events of every block after nothing", chain: local, reads: "logs", before: "nothing" },
  { name: "events of some blocks after state", chain: fast, reads: "logs", before: "state" },
  { name: "receipts after nothing", chain: local, reads: "blocks", more: receipts, before: "nothing" },
  { name: "state after nothing", chain: fast, reads: "state", before: "nothing" },
];

test(`through nodes that index logs late, the history matches the chain in every reading plan (${seeds.length} seeds)`, async () => {
  const owner = await h.personOn("enterprise");
  for (const seed of seeds) {
    await runSeed(owner, seed).catch((cause: unknown) => {
      const sentence = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`PLAN_SEED=${seed} (${planOf(seed).name}) fails: ${sentence}`, { cause });
    });
  }
}, 3_600_000);

const planOf = (seed: number) => plans[seed % plans.length] as Plan;

async function runSeed(owner: Person, seed: number): Promise<void> {
  const { chain, reads, more, before } = planOf(seed);
  const dice = makeDice(seed);
  await forget(owner);
  const watched = await watchSimulated(owner.client, dice);
  const first = before ?? reads;
  if (first === "nothing" || first === "state") await watchOnly(owner, first);
  else if (more) await watchMore(owner, more);
  const tree = new Tree(seed, { transactions: 3 });
  tree.grow(8);
  const blocks = dice.pick([3, 10, 1000]);
  const text = (from: number, to: number) =>
    `block range of ${to - from + 1} is too large, maximum is ${blocks} blocks`;
  const node = await makeNode(tree, { rangeLimit: { blocks, code: -32602, text } });
  const provider = await serveProvider(node.url);
  const clock = fastClock(20);
  const open = () => makeEvmReader({ chain, urls: [provider.url], clock, timeoutMs: 2_000 });
  let reader = open();
  let follower = new Follower(h.app, chain, reader);
  const extend = () => tree.setTip(tree.extend(tree.tip, { seconds: 15 }));
  const step = () => follower.step().catch(() => undefined);

  async function play(moves: number, floor: number): Promise<void> {
    for (let left = moves; left > 0; left--) {
      move(tree, dice, floor);
      indexLate(provider, tree, dice);
      for (let steps = dice.between(0, 3); steps > 0; steps--) await step();
      if (dice.chance(0.2)) {
        await follower.stop();
        await reader.close();
        reader = open();
        follower = new Follower(h.app, chain, reader);
      }
    }
    provider.setManners({});
    // Of a node that allows only short ranges, older blocks are scanned again only after so many blocks.
    for (let block = 0; block < (chain === fast ? 100 : 30); block++) extend();
    for (let rest = 0; rest < 3; rest++) {
      extend();
      for (let steps = 0; steps < 12 && follower.cursor?.hash !== tree.tip.hash; steps++) await step();
    }
    expect(follower.cursor?.hash).toBe(tree.tip.hash);
  }

  try {
    while (!follower.cursor) await step();
    const startHeight = follower.cursor.height;
    if (before) {
      await play(dice.between(3, 6), 14);
      expect(follower.state?.engine.watchList.plan.reads).toBe(before);
      await watchOnly(owner, reads);
      if (more) await watchMore(owner, more);
    }
    const changedAt = tree.tip.height;
    await play(dice.between(minMoves, 2 * minMoves), before ? changedAt : 14);
    expect(follower.state?.engine.watchList.plan.reads).toBe(reads);
    const isCounted = reads === "logs" || reads === "blocks";
    const countedAbove = isCounted ? (before ? changedAt : startHeight) : tree.tip.height;
    const isSparse = chain === fast || before !== undefined || !isCounted;
    await verifyStore(h.app.db, { tip: tree.tip, startHeight, countedAbove, watched, isSparse });
  } finally {
    await follower.stop();
    await reader.close();
    await provider.close();
    await node.close();
  }
}

/** Changes what is watched, so that the chain is read by another plan. */
async function watchOnly({ client }: Person, reads: ReadingPlan["reads"]): Promise<void> {
  const known = (await client.get("/contracts")).body as { id: string }[];
  for (const { id } of known) {
    const targets = (await client.get(`/contracts/${id}/targets`)).body as Target[];
    const counted = targets.filter(({ needs }) => needs.includes("logs"));
    // A target that another's rule needs can be disabled only after the other.
    for (const target of [...counted, ...counted])
      await client.patch(`/targets/${target.id}`, { is_enabled: reads !== "state" });
    await client.post(`/contracts/${id}/${reads === "nothing" ? "pause" : "resume"}`);
  }
}

/** Adds a target that makes the engine read whole blocks. */
async function watchMore({ client }: Person, target: object): Promise<void> {
  await client.post("/contracts", { chain: "local", address: contracts[2], selected_targets: [target] });
}

/** Blocks up to the floor are never replaced. */
function move(tree: Tree, dice: Dice, floor: number): void {
  const isReorg = dice.chance(0.25) && tree.tip.height >= floor + 4;
  if (isReorg) tree.reorganise(dice.between(1, 4), { length: dice.between(4, 6) });
  else tree.grow(dice.between(1, 3));
}

/** Until the chain moves again, the node does not have the logs of its newest blocks. */
function indexLate(provider: Provider, tree: Tree, dice: Dice): void {
  if (!dice.chance(0.5)) {
    provider.setManners({});
    return;
  }
  const indexed = tree.tip.height - dice.between(1, 3);
  provider.setManners({
    async call(call, forward) {
      const reply = await forward(call);
      if (call.method !== "eth_getLogs" || !("result" in reply) || !Array.isArray(reply.result)) return reply;
      return { result: reply.result.filter(({ blockNumber }) => Number(blockNumber) <= indexed) };
    },
  });
}

async function forget({ client }: Person): Promise<void> {
  for (const table of [
    "chain_cursors",
    "chain_blocks",
    "chain_leases",
    "alert_notices",
    "alert_events",
    "samples",
  ] as const)
    await h.app.db.deleteFrom(table).execute();
  const known = (await client.get("/contracts")).body as { id: string }[];
  for (const { id } of known) await client.delete(`/contracts/${id}`);
}
