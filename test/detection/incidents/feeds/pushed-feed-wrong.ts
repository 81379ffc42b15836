import type { Incident } from "../../scene.ts";

const usd = 10n ** 8n;

/** A feed that emits nothing and keeps no rounds is updated with wrong prices, as those of small chains were. */
export const pushedFeedWrong: Incident = {
  name: "Pushed feed with wrong prices (feeds of small chains, 2021 to 2025)",
  covers: ["G3", "G10"],
  async setUp({ chain, deployer, attacker }) {
    const feed = await chain.deploy("PushedFeed", 40n * usd);
    let price = 40;
    let updated = 0;
    const submit = (answer: bigint) => () => {
      updated = Number.POSITIVE_INFINITY;
      return [feed.call(attacker, "submit", [answer])];
    };
    const critical = { on: "feed", severity: "critical", by: ["oracle_price"] } as const;
    return {
      watched: { feed: feed.address },
      traffic({ time, random }) {
        if (time < updated + 1_800) return [];
        [price, updated] = [price * (1 + (random() - 0.5) * 0.02), time];
        return [feed.call(deployer, "submit", [BigInt(Math.round(price * 1e8))])];
      },
      attack: [
        {
          at: 0,
          send: submit(90n * usd),
          signals: [{ ...critical, what: "price jumped", rule: /up/ }],
        },
        { at: 36, send: submit(0n), signals: [{ ...critical, what: "price zero", rule: /zero/ }] },
        { at: 72, send: submit(40n * usd) },
        {
          at: 108,
          send: submit(-1n),
          signals: [{ ...critical, what: "price negative", rule: /negative/ }],
        },
        {
          at: 144,
          send: () => [feed.call(deployer, "appointUpdater", [attacker])],
          signals: [{ ...critical, what: "updater replaced", by: ["configuration_change", "view_function"] }],
        },
      ],
    };
  },
};
