import { fastClock } from "../../simchain/fast-clock.ts";
import type { ExecutedTransaction } from "../cluster/cluster.ts";
import type { NodeFaults, NodeReply } from "../cluster/node.ts";
import { memo, memoProgram, transferSol } from "../cluster/programs.ts";
import { makeSolanaWorld } from "../world.ts";

export type Rewrite = NonNullable<NodeFaults["rewrite"]>;

const wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const txRate = { target_type: "tx_rate", config: {} };

/**
 * An address with strange transactions or answers beside a quiet one of the same chain, on a node whose replies a test
 * replaces.
 */
export async function makeQuietNeighbour() {
  // Nothing is suspended, however slow the machine is.
  const listing = { maxFailingMs: 1e9 };
  const world = await makeSolanaWorld({ clock: fastClock(20), timeoutMs: 300, listing });
  const { cluster, nodes, h } = world;
  const targets = [await world.watch(memoProgram, txRate), await world.watch(wallet, txRate)];
  const [strange = "", quiet = ""] = targets.map(({ id }) => id);
  await world.runUntilIdle();

  async function countedOf(target_id: string): Promise<string[]> {
    const rows = await h.app.db
      .selectFrom("samples")
      .select("evidence")
      .where("series_id", "=", target_id)
      .execute();
    return rows.map(({ evidence }) => (evidence as { tx_hash: string }).tx_hash);
  }

  return {
    ...world,
    rewrite(change: Rewrite | undefined): void {
      for (const { faults } of nodes) faults.rewrite = change;
    },
    /** A transaction of the strange address alone, and one of the quiet address alone. */
    strangeOne: async (text: string): Promise<ExecutedTransaction> => ({
      ...(await cluster.run([memo(text)])),
      accounts: [memoProgram],
    }),
    quietOne: async (): Promise<ExecutedTransaction> => ({
      ...(await cluster.run([transferSol(cluster.payer, wallet, 5_000_000n)])),
      accounts: [wallet],
    }),
    countedStrange: () => countedOf(strange),
    countedQuiet: () => countedOf(quiet),
    /** Steps until a transaction is counted. On a busy machine the node may be too slow for a step. */
    async stepUntilCounted({ signature }: ExecutedTransaction): Promise<void> {
      for (let steps = 0; steps < 500; steps++) {
        await world.step().catch(() => undefined);
        if ([...(await countedOf(quiet)), ...(await countedOf(strange))].includes(signature)) return;
        await new Promise((done) => setTimeout(done, 5));
      }
      throw new Error(`the transaction ${signature} is not counted`);
    },
  };
}

/** Changes the transactions that a node returns under some signatures. */
export function ofTransactions(
  changed: readonly ExecutedTransaction[],
  change: (transaction: never) => NodeReply | "hangs",
): Rewrite {
  const signatures = new Set(changed.map(({ signature }) => signature));
  return ({ method, params }, reply) => {
    if (method !== "getTransaction" || !signatures.has(String(params[0]))) return reply;
    return change(structuredClone("result" in reply ? reply.result : null) as never);
  };
}
