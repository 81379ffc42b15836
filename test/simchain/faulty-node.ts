import { allFaults, commonFaults, type Faults } from "./faults.ts";
import { makeNode, type SimNode } from "./node.ts";
import type { SeededRandom } from "./random.ts";
import type { Tree } from "./tree.ts";

/** A node with a mix of faults of its own, often behind the others. */
export async function makeFaultyNode(tree: Tree, random: SeededRandom, seed: number): Promise<SimNode> {
  const node = await makeNode(tree, {
    seed,
    stallMs: 200,
    takesHashes: random.chance(0.8),
    maxBatch: random.pick([1, 3, 1000]),
    without: random.chance(0.3) ? { eth_getBlockReceipts: -32601 } : {},
  });
  worsen(node, random);
  return node;
}

/** Takes something new to fail at, and a new distance from the others. */
export function worsen(node: SimNode, random: SeededRandom): void {
  const faults: Faults = allFaults(random.pick([0.01, 0.03, 0.06]));
  faults[random.pick(commonFaults)] = 0.5;
  // Each of these costs real time.
  faults.stall = 0.01;
  Object.assign(node.faults, faults);
  node.setLag(random.below(4));
}

/** From now on it knows everything and tells it as it is. */
export function heal(node: SimNode): void {
  Object.assign(node.faults, allFaults(0));
  node.setLag(0);
  node.setTip(undefined);
}
