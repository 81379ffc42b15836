import { toHex } from "viem";
import type { Behaviour } from "../../behaviour.ts";

/** Behind the same URL are two nodes, one of which is two blocks late. */
export const jumpingHeads: Behaviour = {
  name: "jumps between two nodes with different heads",
  manners() {
    let asked = 0;
    return {
      async call({ method, params }, forward) {
        const reply = await forward({ method, params });
        const isLate = method === "eth_getBlockByNumber" && params[0] === "latest" && ++asked % 2 === 1;
        if (!isLate || !("result" in reply)) return reply;
        const { number } = reply.result as { number: string };
        return forward({ method, params: [toHex(Math.max(0, Number(number) - 2)), params[1]] });
      },
    };
  },
  readsLogs: true,
  says: { of: "chain", what: /returned an older head than before, \d+ times/ },
  readsState: true,
};
