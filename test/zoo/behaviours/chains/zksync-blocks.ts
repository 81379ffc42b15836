import type { Behaviour } from "../../behaviour.ts";

const zeros = `0x${"0".repeat(512)}`;

/** Headers have another hash function and no bloom filter, and failed transactions have logs of their fees. */
export const zksyncBlocks: Behaviour = {
  name: "serves zkSync, whose headers have no bloom filter and another hash",
  manners: () => ({
    async call(call, forward) {
      const reply = await forward(call);
      const isBlock = call.method.startsWith("eth_getBlockBy") && "result" in reply && reply.result;
      if (!isBlock) return reply;
      const block = reply.result as object;
      return { result: { ...block, logsBloom: zeros, l1BatchNumber: "0x7", sealFields: [] } };
    },
  }),
  chain: "zksync",
  blocks: { feesOfFailed: true },
  says: { of: "chain", what: /^$/ },
  readsState: true,
};
