import type { Faults } from "../simchain/faults.ts";
import { heal } from "../simchain/faulty-node.ts";
import { makeNode, type SimNode } from "../simchain/node.ts";
import { type SeededRandom, seededRandom } from "../simchain/random.ts";
import { type SimBlock, Tree } from "../simchain/tree.ts";

/** A simulated chain with three nodes that grows and reorganises continuously. */
export class MovingChain {
  readonly tree: Tree;
  readonly urls: string[];
  private readonly nodes: SimNode[];
  private readonly random: SeededRandom;
  /** The block at which the engine starts; earlier ones are never replaced. */
  private floor: number;
  private left: SimBlock | undefined;
  private timer: NodeJS.Timeout | undefined;

  private constructor(tree: Tree, nodes: SimNode[], random: SeededRandom) {
    this.tree = tree;
    this.nodes = nodes;
    this.random = random;
    this.floor = tree.tip.height;
    this.urls = nodes.flatMap(({ url, socketUrl }, index) => (index === 0 ? [url, socketUrl] : [url]));
  }

  static async start(seed: number, chainId?: number): Promise<MovingChain> {
    const tree = new Tree(seed, { transactions: 3 });
    tree.grow(5);
    const nodes = await Promise.all(
      [1, 2, 3].map((number) =>
        makeNode(tree, { seed: seed * 10 + number, ...(chainId !== undefined && { chainId }) }),
      ),
    );
    return new MovingChain(tree, nodes, seededRandom(seed + 1));
  }

  get begun(): number {
    return this.floor;
  }

  /** Starts to move on a timer. */
  run(): void {
    this.setFaults();
    const again = () => {
      this.move();
      // Often enough for many reorganisations, and rarely enough for three nodes to agree before the next one.
      this.timer = setTimeout(again, 160 + this.random.below(320));
    };
    again();
  }

  /** Makes one move: extends, forks, or returns to the previous branch. */
  move(): void {
    const chance = this.random.next();
    if (chance < 0.15) this.reorganise();
    else if (chance < 0.2 && this.left) this.goBack(this.left);
    else this.tree.grow(1 + this.random.below(2));
    if (this.random.chance(0.1)) this.nodes[2]?.setLag(this.random.below(4));
    this.announce();
  }

  reorganise(): void {
    const deepest = this.random.chance(0.1) ? 14 : 5;
    const depth = Math.min(1 + this.random.below(deepest), this.tree.tip.height - this.floor);
    if (depth < 1) return;
    this.left = this.tree.tip;
    this.tree.reorganise(depth, {
      length: depth + this.random.below(3),
      reinclude: this.random.pick([0, 0.5, 1]),
    });
    // One node stays on the old branch until the next reorganisation.
    this.nodes[2]?.setTip(this.random.chance(0.3) ? this.left : undefined);
  }

  /** Stops the chain and heals all nodes. */
  settle(): void {
    clearTimeout(this.timer);
    this.tree.grow(20);
    for (const node of this.nodes) heal(node);
    this.announce();
  }

  /** Keeps all blocks so far from being replaced. */
  raiseFloor(): void {
    this.floor = this.tree.tip.height;
    this.left = undefined;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await Promise.all(this.nodes.map((node) => node.close()));
  }

  private goBack(branch: SimBlock): void {
    this.left = this.tree.tip;
    const count = Math.max(1, this.tree.tip.height - branch.height + this.random.below(2));
    this.tree.setTip(this.tree.extend(branch, { count }));
  }

  private announce(): void {
    this.nodes[0]?.sockets.announce(this.tree.tip);
  }

  /** The first node is mostly healthy, the second returns wrong data and fails, the third lags. */
  private setFaults(): void {
    const [first, second, third] = this.nodes;
    Object.assign(first?.faults ?? {}, { internal_error: 0.01, null_block: 0.01 } satisfies Partial<Faults>);
    Object.assign(second?.faults ?? {}, {
      empty_logs: 0.2,
      missing_log: 0.2,
      wrong_hash: 0.1,
      truncated: 0.05,
      server_error: 0.05,
    } satisfies Partial<Faults>);
    third?.setLag(2);
  }
}
