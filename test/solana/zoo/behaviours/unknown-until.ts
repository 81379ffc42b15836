import type { SolanaBehaviour } from "../behaviour.ts";

export const unknownUntil: SolanaBehaviour = {
  name: "does not know the transaction at which a listing should end (-32020)",
  faults: { forgetsUntil: true },
};
