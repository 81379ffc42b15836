import { expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { makeEvmReader } from "../../../src/chains/evm/reader.ts";
import { chainOf } from "../../../src/chains/index.ts";
import { ChainError } from "../../../src/chains/reader.ts";
import { inParallel } from "../../../src/chains/rpc/in-parallel.ts";
import { Follower } from "../../../src/pipeline/follow/follower.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import { changeFaults, heal, makeFaultyNode } from "../../simchain/faulty-node.ts";
import type { SimNode } from "../../simchain/node.ts";
import { type SeededRandom, seededRandom } from "../../simchain/random.ts";
import { type SimBlock, Tree } from "../../simchain/tree.ts";
import { watchSimulated } from "../../simchain/watch.ts";
import { type Harness, harness, type Person } from "../../support/harness.ts";
import { runSize } from "../../support/run-size.ts";
import { makeDice } from "../dice.ts";
import { verifyStore } from "../verify.ts";

/** The seeds to run; LYING_SEEDS=1000 for the long version, LYING_SEED=n for one. */
const seeds = process.env.LYING_SEED
  ? [Number(process.env.LYING_SEED)]
  : Array.from({ length: runSize("LYING_SEEDS", { short: 1, long: 300 }) }, (_, index) => index + 1);

const local = chainOf("local") as Chain;
// One service per lane, because they all follow the same chain. Most of the time is spent waiting for stalled nodes.
const lanes = await Promise.all([1, 2, 3, 4].map(openLane));

test(`with three faulty nodes, the history matches the chain (${seeds.length} seeds)`, async () => {
  const waiting = [...seeds];
  await inParallel(lanes.length, lanes, async (lane) => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      await runSeed(lane, seed).catch((cause: unknown) => {
        const message = cause instanceof Error ? cause.message : cause;
        throw new Error(`LYING_SEED=${seed} fails: ${message}`, { cause });
      });
    }
  });
}, 3_600_000);

type Lane = { h: Harness; owner: Person };

async function openLane(): Promise<Lane> {
  const h = await harness();
  const owner = await h.personOn("enterprise");
  return { h, owner };
}

async function runSeed({ h, owner }: Lane, seed: number): Promise<void> {
  const random = seededRandom(seed);
  await forgetChain({ h, owner });
  const watched = await watchSimulated(owner.client, makeDice(seed));
  const tree = new Tree(seed, { transactions: 3 });
  tree.grow(8);
  const begun = tree.tip.height;
  const nodes = await Promise.all(
    [1, 2, 3].map((number) => makeFaultyNode(tree, random, seed * 10 + number)),
  );
  for (const node of nodes) heal(node);
  const engine = new RestartingEngine(h, nodes);
  try {
    await engine.settle(tree.tip);
    for (const node of nodes) changeFaults(node, random);
    for (let moves = 4 + random.below(5); moves > 0; moves--) {
      moveOn(tree, nodes, random, begun);
      await engine.tryOut(1 + random.below(3));
      if (random.chance(0.15)) await engine.restart();
    }
    await engine.restart();
    tree.grow(20);
    for (const node of nodes) node.setTip(undefined);
    if (nodes[0]) heal(nodes[0]);
    await engine.settle(tree.tip);
    await verifyStore(h.app.db, { tip: tree.tip, startHeight: begun, watched });
  } finally {
    await engine.stop();
    await Promise.all(nodes.map((node) => node.close()));
  }
}

/** The engine with its reader; a restart replaces both. */
class RestartingEngine {
  private readonly h: Harness;
  private readonly nodes: SimNode[];
  private running: ReturnType<RestartingEngine["open"]>;

  constructor(h: Harness, nodes: SimNode[]) {
    this.h = h;
    this.nodes = nodes;
    this.running = this.open();
  }

  /** Runs some steps, each of which may fail with a ChainError only. */
  async tryOut(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) await this.running.follower.step().catch(ignoreChainError);
  }

  /** Steps until the tip is applied. */
  async settle(tip: SimBlock): Promise<void> {
    for (let step = 0; step < 100; step++) {
      const progress = await this.running.follower.step().catch(ignoreChainError);
      if (progress === "idle" && this.running.follower.cursor?.hash === tip.hash) return;
    }
    expect(this.running.follower.cursor).toMatchObject({ height: tip.height, hash: tip.hash });
  }

  async restart(): Promise<void> {
    await this.stop();
    this.running = this.open();
  }

  async stop(): Promise<void> {
    await this.running.follower.stop();
    await this.running.reader.close();
  }

  private open() {
    const urls = this.nodes.map(({ url }) => url);
    const reader = makeEvmReader({ chain: local, urls, clock: fastClock(200), timeoutMs: 150 });
    return { reader, follower: new Follower(this.h.app, local, reader) };
  }
}

function moveOn(tree: Tree, nodes: SimNode[], random: SeededRandom, floor: number): void {
  const depth = Math.min(1 + random.below(random.chance(0.2) ? 12 : 4), tree.tip.height - floor);
  if (depth > 0 && random.chance(0.4)) {
    const stale = tree.tip;
    if (random.chance(0.3)) goAside(tree, stale, depth, random);
    else tree.reorganise(depth, { length: depth + random.below(3), reinclude: random.pick([0, 0.5, 1]) });
    // One node may stay on the branch that the others have left.
    if (random.chance(0.5)) random.pick(nodes).setTip(stale);
  } else tree.grow(1 + random.below(3));
  if (random.chance(0.2)) changeFaults(random.pick(nodes), random);
}

/** Switches to a new branch; the next move may return to the old one with all its transactions. */
function goAside(tree: Tree, stale: SimBlock, depth: number, random: SeededRandom): void {
  const other = asides.get(tree);
  if (!other) tree.reorganise(depth, { length: depth, reinclude: 0 });
  else tree.setTip(tree.extend(other, { count: Math.max(1, stale.height - other.height + random.below(2)) }));
  asides.set(tree, stale);
}

const asides = new WeakMap<Tree, SimBlock>();

function ignoreChainError(error: unknown): undefined {
  if (!(error instanceof ChainError)) throw error;
}

/** Clears the chain's data, so that each seed starts empty. */
async function forgetChain({ h, owner }: Lane): Promise<void> {
  for (const table of ["chain_cursors", "chain_blocks", "chain_leases"] as const)
    await h.app.db.deleteFrom(table).execute();
  const contracts = (await owner.client.get("/contracts")).body as { id: string }[];
  for (const { id } of contracts) await owner.client.delete(`/contracts/${id}`);
  for (const table of ["alert_notices", "alert_events", "samples"] as const)
    await h.app.db.deleteFrom(table).execute();
}
