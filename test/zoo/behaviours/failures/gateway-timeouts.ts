import type { Behaviour } from "../../behaviour.ts";

export const gatewayTimeouts: Behaviour = {
  name: "answers everything with 504",
  manners: () => ({ request: () => ({ status: 504, body: "Gateway Time-out" }) }),
  besideHealthyNode: true,
  says: { of: "chain", what: /Node 1 of 2 returned status 504\./ },
  readsState: true,
};
