import type { SolanaBehaviour } from "../behaviour.ts";

export const tenCallsASecond: SolanaBehaviour = {
  name: "answers ten calls a second",
  faults: { limit: { perSecond: 10, code: 429, message: "Too many requests for a specific RPC call" } },
};
