import type { Incident } from "../../scene.ts";

const price = 1_800n * 10n ** 8n;

/** The new source of a feed answers with other decimals than the one before, as after upgrades of oracles. */
export const decimalsMistaken: Incident = {
  name: "Decimals of a new price source mistaken (upgrades of oracles, 2022 to 2026)",
  covers: ["G3", "G13"],
  async setUp({ chain, deployer }) {
    const [source, next] = [await chain.deploy("Aggregator"), await chain.deploy("Aggregator")];
    const feed = await chain.deploy("PriceFeed", source.address, "ETH / USD");
    const start = chain.now();
    await chain.run(
      ...Array.from({ length: 40 }, (_, at) =>
        source.call(deployer, "push", [
          price + BigInt((at * 37) % 11) * 10n ** 7n,
          BigInt(start - (40 - at) * 3_600),
        ]),
      ),
      next.call(deployer, "push", [price * 10n ** 10n, BigInt(start)]),
    );
    let last = start - 3_600;
    let current = { source, price };
    return {
      watched: { feed: feed.address },
      traffic({ time, random }) {
        if (time < last + 3_500) return [];
        last = time;
        const answer = (current.price * BigInt(Math.round(9_980 + 40 * random()))) / 10_000n;
        return [current.source.call(deployer, "transmit", [answer])];
      },
      attack: [
        {
          at: 0,
          send() {
            current = { source: next, price: price * 10n ** 10n };
            return [feed.call(deployer, "confirmAggregator", [next.address])];
          },
          signals: [
            {
              on: "feed",
              what: "source replaced",
              by: ["configuration_change", "view_function", "proxy_implementation"],
              severity: "critical",
            },
            { on: "feed", what: "price up", by: ["oracle_price"], rule: /up/, severity: "critical" },
          ],
        },
      ],
    };
  },
};
