import type { Behaviour } from "../../behaviour.ts";

export const socketOnly: Behaviour = {
  name: "has a websocket and no HTTP",
  manners: () => ({}),
  isSocketOnly: true,
  readsLogs: true,
  says: { of: "chain", what: /^$/ },
  readsState: true,
};
