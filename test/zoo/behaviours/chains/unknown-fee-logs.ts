import type { Behaviour } from "../../behaviour.ts";

/** The same without an entry in the definition of the chain: two endpoints that agree are believed. */
export const unknownFeeLogs: Behaviour = {
  name: "serves logs of failed transactions on a chain that is not known for them",
  manners: () => ({}),
  blocks: { feesOfFailed: true },
  besideHealthyNode: true,
  says: { of: "chain", what: /contain logs of failed transactions/ },
  readsState: true,
  notOnDevelopmentNode:
    "it makes no logs of failed transactions, and logs that a proxy adds are not in the bloom filters of its headers",
};
