import { toHex } from "viem";
import type { Behaviour } from "../../behaviour.ts";

/** Every second head is that of the block before, and replies are not in the order of the requests. */
export const socketLags: Behaviour = {
  name: "lags on its websocket and replies in another order",
  manners() {
    let asked = 0;
    return {
      async call({ method, params }, forward) {
        asked += 1;
        if (asked % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 15));
        const reply = await forward({ method, params });
        const isLate = method === "eth_getBlockByNumber" && params[0] === "latest" && asked % 2 === 1;
        if (!isLate || !("result" in reply)) return reply;
        const { number } = reply.result as { number: string };
        return forward({ method, params: [toHex(Math.max(0, Number(number) - 1)), params[1]] });
      },
    };
  },
  isSocketOnly: true,
  readsLogs: true,
  says: { of: "chain", what: /returned an older head than before, \d+ times/ },
  readsState: true,
};
