import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;
const usd = 10n ** 6n;

/** The token of a pair is burned from it and the rest sold, as with SafeMoon in March 2023. Decimals and prices are unequal. */
export const v2PairBurned: Incident = {
  name: "Tokens burned from a Uniswap V2 pair (SafeMoon, March 2023)",
  covers: ["G1", "G13"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const weth = await coin("WETH", 18, 10_000_000);
    const usdc = await coin("USDC", 6, 10_000_000_000);
    const pair = await chain.deploy("PairV2", weth.address, usdc.address);
    await fund(weth, 5_000n * ether, pair);
    await fund(usdc, 12_000_000n * usd, pair);
    await chain.run(pair.call(deployer, "add", [4_000n * ether, 10_000_000n * usd]));
    return {
      watched: { pair: pair.address },
      traffic: ({ times, pick, amount, random }) => [
        ...Array.from({ length: times(250) }, () => {
          const isFirst = random() < 0.5;
          // Some are late and fail.
          const atLeast = random() < 0.06 ? 2n ** 100n : 0n;
          return pair.call(pick(users), "swap", [isFirst, amount(isFirst ? ether : 2_500n * usd), atLeast]);
        }),
        ...Array.from({ length: times(4) }, () => pair.call(deployer, "add", [10n * ether, 25_000n * usd])),
        ...Array.from({ length: times(4) }, () => pair.call(deployer, "remove", [2n * 10n ** 15n])),
      ],
      attack: [
        {
          at: 0,
          send: () => [pair.call(attacker, "exploitBurn", [weth.address, attacker, 3_400n * ether])],
          signals: [
            { on: "pair", what: "tokens drained", by: ["token_balance"], severity: "critical" },
            { on: "pair", what: "price manipulated", by: ["pool_price"], severity: "critical" },
          ],
        },
        {
          at: 48,
          send: () => [pair.call(attacker, "exploitBurn", [usdc.address, attacker, 9_000_000n * usd])],
          signals: [
            { on: "pair", what: "price falls", by: ["pool_price"], rule: /down/, severity: "critical" },
          ],
        },
      ],
    };
  },
};
