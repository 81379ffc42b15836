import type { Behaviour } from "../../behaviour.ts";

export const tooManyRequests: Behaviour = {
  name: "answers every third request with 429",
  manners() {
    let requests = 0;
    return {
      request: () => (++requests % 3 === 0 ? { status: 429, body: "slow down" } : undefined),
    };
  },
  says: { of: "chain", what: /limits the rate of calls|asks to slow down/ },
  readsState: true,
};
