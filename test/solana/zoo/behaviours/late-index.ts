import type { SolanaBehaviour } from "../behaviour.ts";

export const lateIndex: SolanaBehaviour = {
  name: "indexes transactions some slots late",
  faults: { indexLag: 3 },
};
