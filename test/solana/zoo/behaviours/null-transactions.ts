import type { SolanaBehaviour } from "../behaviour.ts";

export const nullTransactions: SolanaBehaviour = {
  name: "returns null for half of the transactions that it lists",
  faults: { missing: 0.5 },
};
