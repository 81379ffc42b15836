import type { Behaviour } from "../../behaviour.ts";
import { rpcError } from "../../proxy.ts";

export const dailyQuota: Behaviour = {
  name: "has used up its daily quota",
  manners: () => ({ call: () => rpcError(-32005, "daily request count exceeded, request rate limited") }),
  besideHealthyNode: true,
  says: { of: "chain", what: /Node 1 of 2 has used up the quota of its plan\./ },
  readsState: true,
};
