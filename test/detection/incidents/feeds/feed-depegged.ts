import type { Incident } from "../../scene.ts";

const usd = 10n ** 8n;
const day = 86_400;

/** A stablecoin loses its peg, as deUSD and xUSD in November 2025. */
export const feedDepegged: Incident = {
  name: "Stablecoin loses its peg (deUSD, November 2025)",
  covers: ["G9"],
  async setUp({ chain, deployer }) {
    const source = await chain.deploy("Aggregator");
    const feed = await chain.deploy("PriceFeed", source.address, "deUSD / USD");
    const start = chain.now();
    await chain.run(
      ...Array.from({ length: 20 }, (_, at) =>
        source.call(deployer, "push", [usd - BigInt((at % 3) * 10_000), BigInt(start - (20 - at) * day)]),
      ),
    );
    let last = start - day;
    return {
      watched: { feed: feed.address },
      targets: [{ target_type: "oracle_deviation", config: { reference_value: 1 } }],
      traffic({ time, random }) {
        if (time < last + day - 60) return [];
        last = time;
        return [
          source.call(deployer, "transmit", [(usd * BigInt(Math.round(99_900 + 200 * random()))) / 100_000n]),
        ];
      },
      attack: [
        {
          at: 0,
          send: () => [source.call(deployer, "transmit", [(usd * 96n) / 100n])],
          signals: [{ on: "feed", what: "peg lost", by: ["oracle_price"], severity: "critical" }],
        },
        {
          at: 300,
          send: () => [source.call(deployer, "transmit", [(usd * 60n) / 100n])],
          signals: [
            { on: "feed", what: "price down", by: ["oracle_price"], rule: /down/, severity: "critical" },
          ],
        },
      ],
    };
  },
};
