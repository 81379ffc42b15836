import type { Block } from "../../chains/block.ts";
import type { Clock } from "../../lib/clock.ts";
import type { WatchedTarget, WatchList } from "../watch/watch-list.ts";

/** The status of a target says for so long that the traces of a block were given up. */
const reportedMs = 60 * 60_000;

const unsupported =
  "The node provides no traces (debug_traceBlockByHash), so calls made by other contracts are not counted.";

/** Says whether the calls between contracts are known, for the status of the targets that count them. */
export class TraceStatus {
  private readonly clock: Clock;
  private givenUp: { height: number; atMs: number } | undefined;
  /** Targets whose status says that they can be read. It may be an earlier process that wrote that they cannot. */
  private readonly readable = new WeakSet<WatchedTarget>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  giveUp(height: number): void {
    this.givenUp = { height, atMs: this.clock.now().getTime() };
  }

  /** Returns the problem of a block, or the targets that had one before. */
  at(block: Block, { tracing }: WatchList): { problem: string | undefined; readable: WatchedTarget[] } {
    if (tracing.size === 0) return { problem: undefined, readable: [] };
    const problem = this.problemOf(block);
    const readable = [...tracing].filter((target) => problem === undefined && !this.readable.has(target));
    for (const target of tracing)
      if (problem === undefined) this.readable.add(target);
      else this.readable.delete(target);
    return { problem, readable };
  }

  private problemOf({ internal_calls, untraced, height }: Block): string | undefined {
    if (untraced)
      return (
        `The nodes have not returned the traces of block ${height} yet (debug_traceBlockByHash). ` +
        "Calls made by other contracts are counted when they arrive."
      );
    if (!internal_calls) return unsupported;
    const { givenUp } = this;
    if (!givenUp || Math.abs(this.clock.now().getTime() - givenUp.atMs) > reportedMs) return undefined;
    return (
      `The nodes did not return the traces of block ${givenUp.height} (debug_traceBlockByHash), ` +
      "so calls made by other contracts in it are not counted."
    );
  }
}
