import { type Behaviour, stateMethods } from "../../behaviour.ts";
import { rpcError } from "../../proxy.ts";

export const noBlockHashes: Behaviour = {
  name: "does not accept block hashes for state (EIP-1898)",
  manners: () => ({
    call(call, forward) {
      const isByHash = stateMethods.has(call.method) && call.params.some(hasHash);
      return isByHash ? rpcError(-32000, "invalid argument 1: cannot unmarshal object") : forward(call);
    },
  }),
  readsLogs: true,
  says: { of: "chain", what: /does not support state by block hash/ },
  readsState: true,
};

function hasHash(param: unknown): boolean {
  return typeof param === "object" && param !== null && "blockHash" in param;
}
