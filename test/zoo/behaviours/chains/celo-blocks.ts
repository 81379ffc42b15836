import type { Behaviour } from "../../behaviour.ts";

export const celoBlocks: Behaviour = {
  name: "serves Celo, where failed transactions have logs of their fees",
  manners: () => ({}),
  chain: "celo",
  blocks: { feesOfFailed: true },
  says: { of: "chain", what: /^$/ },
  readsState: true,
  notOnDevelopmentNode:
    "it makes no logs of failed transactions, and logs that a proxy adds are not in the bloom filters of its headers",
};
