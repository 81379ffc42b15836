import type { Behaviour } from "../../behaviour.ts";
import { rpcError } from "../../proxy.ts";

export const refusesUnfilteredLogs: Behaviour = {
  name: "refuses logs without an address",
  manners: () => ({
    call({ method, params }, forward) {
      const [filter] = params as [{ address?: unknown }];
      if (method === "eth_getLogs" && !filter.address)
        return rpcError(
          -32701,
          "Please specify an address in your request or, to remove restrictions, order a plan",
        );
      return forward({ method, params });
    },
  }),
  readsLogs: true,
  says: { of: "chain", what: /does not support .*eth_getLogs without an address/ },
  readsState: true,
};
