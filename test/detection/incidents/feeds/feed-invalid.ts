import type { Incident } from "../../scene.ts";

const usd = 10n ** 8n;
const day = 86_400;

/** A feed with a heartbeat of a day returns a wrong price and then zero, as those of cbETH at Moonwell in February 2026. */
export const feedInvalid: Incident = {
  name: "Feed of a day returns a wrong price, then zero (Moonwell, 2025 and 2026)",
  covers: ["G3", "G10", "G13"],
  async setUp({ chain, deployer }) {
    const source = await chain.deploy("Aggregator");
    const feed = await chain.deploy("PriceFeed", source.address, "cbETH / ETH");
    const start = chain.now();
    await chain.run(
      ...Array.from({ length: 30 }, (_, at) =>
        source.call(deployer, "push", [110n * usd, BigInt(start - (30 - at) * day - 600 + ((at * 7) % 20))]),
      ),
    );
    let last = start - day - 600 + ((29 * 7) % 20);
    let isWrong = false;
    return {
      watched: { feed: feed.address },
      traffic({ time, random }) {
        if (isWrong || time < last + day - 60) return [];
        last = time;
        return [
          source.call(deployer, "transmit", [
            (110n * usd * BigInt(Math.round(9_950 + 100 * random()))) / 10_000n,
          ]),
        ];
      },
      attack: [
        {
          at: 0,
          send() {
            isWrong = true;
            return [source.call(deployer, "transmit", [usd])];
          },
          signals: [{ on: "feed", what: "price down", by: ["oracle_price"], severity: "critical" }],
        },
        {
          at: 60,
          send: () => [source.call(deployer, "transmit", [0n])],
          signals: [
            { on: "feed", what: "price zero", by: ["oracle_price"], rule: /zero/, severity: "critical" },
          ],
        },
        { at: 120, send: () => [source.call(deployer, "transmit", [usd])] },
        {
          at: 840,
          send: () => [source.call(deployer, "transmit", [110n * usd])],
          signals: [{ on: "feed", what: "price up", by: ["oracle_price"], rule: /up/, severity: "critical" }],
        },
      ],
    };
  },
};
