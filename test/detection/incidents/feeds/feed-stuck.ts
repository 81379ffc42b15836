import type { Incident } from "../../scene.ts";

const usd = 10n ** 8n;

/**
 * A feed goes on with its updates and repeats one price, as that of LUNA at its least answer in May 2022 and pushed feeds
 * later.
 */
export const feedStuck: Incident = {
  name: "Feed repeats one price (LUNA, May 2022, and later pushed feeds)",
  covers: ["G3"],
  async setUp({ chain, deployer }) {
    const source = await chain.deploy("Aggregator");
    const feed = await chain.deploy("PriceFeed", source.address, "FTM / USD");
    const start = chain.now();
    let price = 80;
    const answer = () => BigInt(Math.round(price * Number(usd)));
    const move = (random: number, seconds: number) => {
      price *= 1 + (random - 0.5) * 0.004 * Math.sqrt(seconds / 60);
      return answer();
    };
    await chain.run(
      ...Array.from({ length: 60 }, (_, at) =>
        source.call(deployer, "push", [move(((at * 37) % 60) / 60, 600), BigInt(start - (60 - at) * 600)]),
      ),
    );
    let [last, isStuck] = [0, false];
    return {
      watched: { feed: feed.address },
      traffic({ time, seconds, random }) {
        const next = isStuck ? answer() : move(random(), seconds);
        if (time + seconds < last + 600) return [];
        last = time;
        return [source.call(deployer, "transmit", [next])];
      },
      attack: [
        {
          at: 0,
          send() {
            isStuck = true;
            return [];
          },
        },
        {
          at: 6 * 600,
          signals: [
            {
              on: "feed",
              what: "the same price for an hour",
              by: ["oracle_staleness", "oracle_price", "view_function"],
              severity: "critical",
            },
          ],
        },
      ],
    };
  },
};
