import type { Behaviour } from "../../behaviour.ts";

/** Headers have fields of their own, and each block begins with a system transaction without a gas price. */
export const arbitrumBlocks: Behaviour = {
  name: "serves Arbitrum, whose headers have more fields",
  manners: () => ({
    async call(call, forward) {
      const reply = await forward(call);
      const isBlock = call.method.startsWith("eth_getBlockBy") && "result" in reply && reply.result;
      if (!isBlock) return reply;
      const { transactions, ...block } = reply.result as { transactions: (object | string)[] };
      const [first, ...others] = transactions;
      const system =
        typeof first === "object" ? [{ ...first, type: "0x6a", gasPrice: null }] : [first ?? []].flat();
      const own = { l1BlockNumber: "0x15", sendCount: "0x1", sendRoot: `0x${"11".repeat(32)}` };
      return { result: { ...block, ...own, transactions: [...system, ...others] } };
    },
  }),
  chain: "arbitrum",
  says: { of: "chain", what: /^$/ },
  readsState: true,
};
