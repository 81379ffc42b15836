import type { SolanaBehaviour } from "../behaviour.ts";
import { unindexedAddress } from "../unindexed.ts";

export const unindexed: SolanaBehaviour = {
  name: "leaves one address out of its index (-32010)",
  faults: { failing: new Map([[unindexedAddress, -32010]]) },
};

export const internalErrors: SolanaBehaviour = {
  name: "answers listings of one address with an internal error (-32603)",
  faults: { failing: new Map([[unindexedAddress, -32603]]) },
};
