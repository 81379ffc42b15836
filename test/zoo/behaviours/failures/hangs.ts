import type { Behaviour } from "../../behaviour.ts";

export const hangs: Behaviour = {
  name: "never answers",
  manners: () => ({ request: () => "hang" }),
  besideHealthyNode: true,
  says: { of: "chain", what: /Node 1 of 2 timed out\./ },
  readsState: true,
};
