import type { SolanaBehaviour } from "../behaviour.ts";

export const silentSocket: SolanaBehaviour = {
  name: "accepts subscriptions and never announces anything",
  hasSocket: true,
};
