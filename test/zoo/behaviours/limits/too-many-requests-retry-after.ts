import type { Behaviour } from "../../behaviour.ts";

export const tooManyRequestsRetryAfter: Behaviour = {
  name: "answers every third request with 429 and Retry-After",
  manners() {
    let requests = 0;
    return {
      request: () =>
        ++requests % 3 === 0
          ? { status: 429, body: "slow down", headers: { "retry-after": "2" } }
          : undefined,
    };
  },
  says: { of: "chain", what: /limits the rate of calls|asks to slow down/ },
  readsState: true,
};
