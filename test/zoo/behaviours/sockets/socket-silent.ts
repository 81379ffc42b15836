import type { Behaviour } from "../../behaviour.ts";

/** The connection stays open, but nothing comes any more: a new one works. */
export const socketSilent: Behaviour = {
  name: "goes silent on its websocket after some messages",
  manners: () => ({ socket: (message) => (message > 12 ? "ignore" : undefined) }),
  isSocketOnly: true,
  says: { of: "chain", what: /timed out/ },
  readsState: true,
};
