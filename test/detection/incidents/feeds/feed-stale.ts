import type { Incident } from "../../scene.ts";

const usd = 10n ** 8n;
const hour = 3_600;

/** A feed with a heartbeat of an hour stops, as that of LUNA at Venus; later its source is replaced. */
export const feedStale: Incident = {
  name: "Feed of an hour stops (Venus and LUNA)",
  covers: ["G9", "G13"],
  async setUp({ chain, deployer, attacker }) {
    const [source, other] = [await chain.deploy("Aggregator"), await chain.deploy("Aggregator")];
    const feed = await chain.deploy("PriceFeed", source.address, "LUNA / USD");
    const start = chain.now();
    await chain.run(
      ...Array.from({ length: 60 }, (_, at) =>
        source.call(deployer, "push", [80n * usd, BigInt(start - (60 - at) * hour + ((at * 5) % 24))]),
      ),
      other.call(deployer, "push", [80n * usd, BigInt(start)]),
    );
    let [last, price, isStopped] = [0, 80n * usd, false];
    return {
      watched: { feed: feed.address },
      traffic({ time, seconds, random }) {
        if (isStopped) return [];
        price =
          (price * BigInt(Math.round(10_000 + (random() - 0.5) * 12 * Math.sqrt(seconds / 60)))) / 10_000n;
        // An update is due at the heartbeat, and sooner if the price moved.
        if (time + seconds < last + hour && random() > seconds / 5_000) return [];
        last = time;
        return [source.call(deployer, "transmit", [price])];
      },
      attack: [
        {
          at: 0,
          send() {
            isStopped = true;
            return [source.call(deployer, "transmit", [price])];
          },
        },
        {
          at: hour + 12,
          signals: [{ on: "feed", what: "stale", by: ["oracle_staleness"], severity: "critical" }],
        },
        {
          at: hour + 180,
          send: () => [
            other.call(attacker, "transmit", [price]),
            feed.call(deployer, "confirmAggregator", [other.address]),
          ],
          signals: [{ on: "feed", what: "source replaced", by: ["view_function"], severity: "critical" }],
        },
      ],
    };
  },
};
