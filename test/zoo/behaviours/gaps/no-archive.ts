import { type Behaviour, stateMethods } from "../../behaviour.ts";
import { rpcError } from "../../proxy.ts";

export const noArchive: Behaviour = {
  name: "keeps no state of past blocks",
  manners: () => ({
    call: (call, forward) =>
      stateMethods.has(call.method)
        ? rpcError(-32000, "missing trie node 0x5a1b (path ) state 0x5a1b is not available")
        : forward(call),
  }),
  says: { of: "target", what: /The node no longer has this part of the history/ },
  readsState: false,
};
