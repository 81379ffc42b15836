import type { SolanaBehaviour } from "../behaviour.ts";

export const laggingBackends: SolanaBehaviour = {
  name: "has backends behind one URL that lag by up to four slots",
  faults: { backendLag: 4 },
};
