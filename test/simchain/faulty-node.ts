import { allFaults, commonFaults, type Faults } from "./faults.ts";
import { makeNode, type SimNode } from "./node.ts";
import type { SeededRandom } from "./random.ts";
import type { Tree } from "./tree.ts";

/** A node with random faults that often lags. */
export async function makeFaultyNode(tree: Tree, random: SeededRandom, seed: number): Promise<SimNode> {
  const node = await makeNode(tree, {
    seed,
    stallMs: 200,
    acceptsHashes: random.chance(0.8),
    maxBatch: random.pick([1, 3, 1000]),
    without: random.chance(0.3) ? { eth_getBlockReceipts: -32601 } : {},
  });
  changeFaults(node, random);
  return node;
}

/** Gives a node other faults and another lag. */
export function changeFaults(node: SimNode, random: SeededRandom): void {
  const faults: Faults = allFaults(random.pick([0.01, 0.03, 0.06]));
  faults[random.pick(commonFaults)] = 0.5;
  // Each of these costs real time.
  faults.stall = 0.01;
  Object.assign(node.faults, faults);
  node.setLag(random.below(4));
}

/** Removes all faults and the lag of a node. */
export function heal(node: SimNode): void {
  Object.assign(node.faults, allFaults(0));
  node.setLag(0);
  node.setTip(undefined);
}
