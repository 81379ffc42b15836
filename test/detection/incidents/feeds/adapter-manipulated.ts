import type { Incident } from "../../scene.ts";

const usd = 10n ** 8n;

/** The price of a liquidity token is manipulated, as at Sturdy in June 2023. Its oracle has one function and no rounds. */
export const adapterManipulated: Incident = {
  name: "Oracle of a liquidity token manipulated (Sturdy, June 2023)",
  covers: ["G3", "G11"],
  async setUp({ chain, deployer, attacker }) {
    const adapter = await chain.deploy("ShareAdapter", 1_100n * usd);
    let price = 1_100;
    const critical = { on: "adapter", by: ["oracle_price", "view_function"], severity: "critical" } as const;
    return {
      watched: { adapter: adapter.address },
      traffic({ times, random, seconds }) {
        if (times(150) === 0) return [];
        price *= 1 + (random() - 0.5) * 0.004 * Math.sqrt(seconds / 60);
        return [adapter.call(deployer, "sync", [BigInt(Math.round(price * 1e8))])];
      },
      attack: [
        {
          at: 0,
          send: () => [adapter.call(attacker, "sync", [BigInt(Math.round(price * 2.6e8))])],
          signals: [{ ...critical, what: "price up" }],
        },
        {
          at: 48,
          send: () => [adapter.call(attacker, "sync", [0n])],
          signals: [{ ...critical, what: "price zero" }],
        },
      ],
    };
  },
};
