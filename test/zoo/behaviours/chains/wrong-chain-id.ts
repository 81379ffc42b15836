import type { Behaviour } from "../../behaviour.ts";

export const wrongChainId: Behaviour = {
  name: "serves another chain",
  manners: () => ({
    call: (call, forward) => (call.method === "eth_chainId" ? { result: "0x38" } : forward(call)),
  }),
  chain: "ethereum",
  besideHealthyNode: true,
  says: { of: "chain", what: /Node 1 of 2 serves chain 56 instead of 1\./ },
  readsState: true,
};
