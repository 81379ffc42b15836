import type { SolanaBehaviour } from "../behaviour.ts";

export const shortRetention: SolanaBehaviour = {
  name: "keeps only the last sixty slots",
  onMove(node, cluster) {
    node.faults.firstSlot = Math.max(0, cluster.head - 60);
  },
};
