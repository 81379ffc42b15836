import type { Behaviour } from "../../behaviour.ts";

export const truncatedJson: Behaviour = {
  name: "cuts off its replies",
  manners: () => ({ text: (text) => text.slice(0, text.length / 2) }),
  besideHealthyNode: true,
  says: { of: "chain", what: /Node 1 of 2 returned a reply that is not JSON-RPC\./ },
  readsState: true,
};
