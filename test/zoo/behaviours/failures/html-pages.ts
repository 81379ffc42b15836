import type { Behaviour } from "../../behaviour.ts";

export const htmlPages: Behaviour = {
  name: "answers with HTML error pages",
  manners: () => ({
    request: () => ({
      status: 200,
      body: "<html>Bad gateway</html>",
      headers: { "content-type": "text/html" },
    }),
  }),
  besideHealthyNode: true,
  says: { of: "chain", what: /Node 1 of 2 returned a reply that is not JSON-RPC\./ },
  readsState: true,
};
