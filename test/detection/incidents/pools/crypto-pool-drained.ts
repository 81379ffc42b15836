import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;
const usd = 10n ** 6n;

/** A pool of coins with different prices is drained through its read-only price, as at Conic in July 2023. */
export const cryptoPoolDrained: Incident = {
  name: "Crypto pool of unequal coins drained (Conic, July 2023)",
  covers: ["G1", "G13"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdt = await coin("USDT", 6, 10_000_000_000);
    const weth = await coin("WETH", 18, 10_000_000);
    const pool = await chain.deploy("CryptoPool", [usdt.address, weth.address]);
    await fund(usdt, 12_000_000n * usd, pool);
    await fund(weth, 5_000n * ether, pool);
    await chain.run(pool.call(deployer, "add", [[5_000_000n * usd, 2_000n * ether]]));
    return {
      watched: { pool: pool.address },
      traffic: ({ times, pick, amount, random }) =>
        Array.from({ length: times(120) }, () => {
          const size = amount(10n ** 6n);
          const [eth, dollars] = [(size * ether) / 10n ** 6n, size * 2_500n];
          const args = random() < 0.5 ? [0n, 1n, dollars, eth] : [1n, 0n, eth, dollars];
          return pool.call(pick(users), "exchange", args);
        }),
      attack: [
        {
          at: 0,
          send: () => [pool.call(attacker, "exploit", [1n, attacker, 1_200n * ether])],
          signals: [
            { on: "pool", what: "tokens drained", by: ["token_balance"], severity: "critical" },
            { on: "pool", what: "value of a share down", by: ["view_function"], severity: "critical" },
          ],
        },
      ],
    };
  },
};
