import type { Behaviour } from "../../behaviour.ts";

/** Logs are empty the first two times that they are asked for. */
export const lateLogs: Behaviour = {
  name: "returns empty logs that fill later",
  manners() {
    const asked = new Map<string, number>();
    return {
      call({ method, params }, forward) {
        if (method !== "eth_getLogs") return forward({ method, params });
        const key = JSON.stringify(params);
        asked.set(key, (asked.get(key) ?? 0) + 1);
        return (asked.get(key) ?? 0) > 2 ? forward({ method, params }) : { result: [] };
      },
    };
  },
  readsLogs: true,
  says: { of: "chain", what: /omitted logs that are in the bloom filter/ },
  readsState: true,
};
