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
  // Up to thirty requests, of which every third one costs two seconds.
  waitsMs: 20_000,
  says: { of: "chain", what: /limits the rate of calls|asks to slow down/ },
  readsState: true,
};
