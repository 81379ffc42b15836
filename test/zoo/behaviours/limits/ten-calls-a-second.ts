import type { Behaviour } from "../../behaviour.ts";
import { rpcError } from "../../proxy.ts";

export const tenCallsASecond: Behaviour = {
  name: "allows ten calls a second",
  manners(now) {
    let window = { second: 0, calls: 0 };
    return {
      call(call, forward) {
        const second = Math.floor(now() / 1000);
        if (second !== window.second) window = { second, calls: 0 };
        window.calls += 1;
        return window.calls > 10
          ? rpcError(-32005, "limit of 10 requests per second exceeded")
          : forward(call);
      },
    };
  },
  says: { of: "chain", what: /limits the rate of calls|asks to slow down/ },
  stateTargets: 40,
  readsState: true,
};
