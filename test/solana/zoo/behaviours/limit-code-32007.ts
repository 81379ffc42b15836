import type { SolanaBehaviour } from "../behaviour.ts";

/** The code of a skipped slot, which another provider uses for its rate limit. */
export const limitCode32007: SolanaBehaviour = {
  name: "limits calls with error -32007, which is also that of a skipped slot",
  faults: {
    limit: {
      perSecond: 15,
      code: -32007,
      message: "15/second request limit reached - reduce calls per second",
    },
  },
};
