import type { SolanaBehaviour } from "../behaviour.ts";

export const versionLimit: SolanaBehaviour = {
  name: "accepts no transaction version above 0",
  faults: { maxVersion: 0 },
};
