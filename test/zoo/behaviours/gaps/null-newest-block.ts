import type { Behaviour } from "../../behaviour.ts";

/** Each block is missing the first time that it is asked for with its contents. */
export const nullNewestBlock: Behaviour = {
  name: "returns null for the newest block at first",
  manners() {
    const asked = new Set<string>();
    return {
      call({ method, params }, forward) {
        const [block, isFull] = params as [string, boolean];
        const isFirst = method === "eth_getBlockByNumber" && isFull && !asked.has(block);
        if (!isFirst) return forward({ method, params });
        asked.add(block);
        return { result: null };
      },
    };
  },
  says: {
    of: "chain",
    what: /^$|has no result for eth_getBlockByNumber yet|does not support eth_getBlockReceipts/,
  },
  readsState: true,
};
