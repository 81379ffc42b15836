import type { Behaviour } from "../../behaviour.ts";

export const forbidsBlockReceipts: Behaviour = {
  name: "forbids receipts of whole blocks with status 403",
  manners: () => ({
    request: (calls) =>
      calls.some(({ method }) => method === "eth_getBlockReceipts")
        ? { status: 403, body: "Upgrade your plan" }
        : undefined,
  }),
  says: { of: "chain", what: /does not support eth_getBlockReceipts/ },
  readsState: true,
};
