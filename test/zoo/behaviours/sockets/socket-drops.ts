import type { Behaviour } from "../../behaviour.ts";

/** Some load balancers end a websocket after some time, whatever is being asked. */
export const socketDrops: Behaviour = {
  name: "drops its websocket after every eighth message",
  manners: () => ({ socket: (message) => (message > 8 ? "drop" : undefined) }),
  isSocketOnly: true,
  readsLogs: true,
  says: { of: "chain", what: /closed the connection/ },
  readsState: true,
};
