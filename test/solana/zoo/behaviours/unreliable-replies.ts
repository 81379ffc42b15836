import type { SolanaBehaviour } from "../behaviour.ts";

export const unreliableReplies: SolanaBehaviour = {
  name: "closes connections and returns HTML pages now and then",
  faults: { down: 0.1, garbage: 0.1 },
};
