import type { Cluster } from "../cluster/cluster.ts";
import type { NodeFaults, SolanaNode } from "../cluster/node.ts";

/** One way in which a provider of Solana differs from an ideal node. */
export type SolanaBehaviour = {
  /** Completes the sentence "nothing is lost or counted twice with a provider that …". */
  name: string;
  faults?: Partial<NodeFaults>;
  /** Runs before each move of the cluster, for faults that depend on it. */
  onMove?(node: SolanaNode, cluster: Cluster): void;
  /** True if the reader also subscribes to announcements. */
  hasSocket?: true;
};
