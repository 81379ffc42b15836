import { expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { contracts } from "../simchain/contents.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode } from "../simchain/node.ts";
import { Tree } from "../simchain/tree.ts";
import { watchSimulated } from "../simchain/watch.ts";
import { harness, type Person } from "../support/harness.ts";
import { runSize } from "../support/run-size.ts";
import { type Provider, serveProvider } from "../zoo/proxy.ts";
import { type Dice, makeDice } from "./dice.ts";
import { verifyStore } from "./verify.ts";

/** PLAN_SEEDS=n sets the number of seeds, PLAN_SEED=n runs one. */
const seeds = process.env.PLAN_SEED
  ? [Number(process.env.PLAN_SEED)]
  : Array.from({ length: runSize("PLAN_SEEDS", { short: 8, long: 400 }) }, (_, index) => index + 1);

const h = await harness();
const local = chainOf("local") as Chain;
/** A chain whose headers are read only where blocks have watched events. */
const fast: Chain = { ...local, block_time_ms: 250, alwaysProducesBlocks: true };

/** What is watched besides events and state, which decides how the chain is read. */
const plans = [
  { name: "events of every block", chain: local, more: undefined },
  { name: "events of some blocks", chain: fast, more: undefined },
  { name: "receipts", chain: local, more: { target_type: "tx_rate" } },
  {
    name: "traces",
    chain: local,
    more: {
      target_type: "function_call_rate",
      config: { function_signature: "touch(bytes32)", internal: true },
    },
  },
];

test(`through nodes that index logs late, the history matches the chain in every reading plan (${seeds.length} seeds)`, async () => {
  const owner = await h.person();
  await h.setTier(owner.org_id, "enterprise");
  for (const seed of seeds) {
    await runSeed(owner, seed).catch((cause: unknown) => {
      const plan = plans[seed % plans.length]?.name;
      const sentence = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`PLAN_SEED=${seed} (${plan}) fails: ${sentence}`, { cause });
    });
  }
}, 3_600_000);

async function runSeed(owner: Person, seed: number): Promise<void> {
  const plan = plans[seed % plans.length] ?? plans[0];
  if (!plan) throw new Error("There is no plan.");
  const { chain } = plan;
  const dice = makeDice(seed);
  await forget(owner);
  const watched = await watchSimulated(owner.client, dice);
  if (plan.more)
    await owner.client.post("/contracts", {
      chain: "local",
      address: contracts[2],
      selected_targets: [plan.more],
    });
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
  const step = () => follower.step().catch(() => undefined);
  try {
    while (!follower.cursor) await step();
    const startHeight = follower.cursor.height;
    for (let moves = dice.between(8, 16); moves > 0; moves--) {
      move(tree, dice);
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
    for (let rest = 0; rest < 3; rest++) {
      tree.setTip(tree.extend(tree.tip, { seconds: 15 }));
      for (let steps = 0; steps < 12 && follower.cursor?.hash !== tree.tip.hash; steps++) await step();
    }
    expect(follower.cursor?.hash).toBe(tree.tip.hash);
    expect(follower.state?.engine.watchList.plan.reads).toBe(plan.more ? "blocks" : "logs");
    await verifyStore(h.app.db, { tip: tree.tip, startHeight, watched, isSparse: chain === fast });
  } finally {
    await follower.stop();
    await reader.close();
    await provider.close();
    await node.close();
  }
}

function move(tree: Tree, dice: Dice): void {
  const isReorg = dice.chance(0.25) && tree.tip.height > 14;
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
