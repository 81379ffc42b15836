import type { SolanaBehaviour } from "../behaviour.ts";

export const limitCode32429: SolanaBehaviour = {
  name: "limits calls with error -32429",
  faults: { limit: { perSecond: 15, code: -32429, message: "rate limited" } },
};
