import type { Behaviour } from "../../behaviour.ts";
import { rpcError } from "../../proxy.ts";

export const noFinalityTags: Behaviour = {
  name: "does not know the block tags safe and finalized",
  manners: () => ({
    call: (call, forward) =>
      call.params[0] === "safe" || call.params[0] === "finalized"
        ? rpcError(-32602, "invalid block number")
        : forward(call),
  }),
  says: { of: "chain", what: /does not support the block tags safe and finalized/ },
  readsState: true,
};
