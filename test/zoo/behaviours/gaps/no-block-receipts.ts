import type { Behaviour } from "../../behaviour.ts";
import { rpcError } from "../../proxy.ts";

export const noBlockReceipts: Behaviour = {
  name: "has no receipts of whole blocks",
  manners: () => ({
    call: (call, forward) =>
      call.method === "eth_getBlockReceipts"
        ? rpcError(-32601, "the method eth_getBlockReceipts does not exist/is not available")
        : forward(call),
  }),
  says: { of: "chain", what: /does not support eth_getBlockReceipts/ },
  readsState: true,
};
