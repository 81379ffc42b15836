import type { Incident } from "../../scene.ts";

const [ether, usd] = [10n ** 18n, 10n ** 6n];

/**
 * A spender that a treasury approved without a limit takes what it holds, as with the old allowances to Multichain's router and
 * to SushiSwap's RouteProcessor2. The treasury itself sends nothing.
 */
export const treasuryAllowanceUsed: Incident = {
  name: "Allowance of a treasury used (SushiSwap's RouteProcessor2, April 2023)",
  covers: ["G2", "G6"],
  async setUp({ chain, users, deployer, attacker, coin }) {
    const [usdc, weth] = [await coin("USDC", 6, 1_000_000_000), await coin("WETH", 18, 1_000_000)];
    const treasury = await chain.account(40n * ether);
    const router = await chain.account(40n * ether);
    await chain.run(
      usdc.call(deployer, "transfer", [treasury, 6_000_000n * usd]),
      weth.call(deployer, "transfer", [treasury, 900n * ether]),
      ...users.map((user) => usdc.call(deployer, "transfer", [user, 1_000_000n * usd])),
    );
    await chain.run(...[usdc, weth].map((token) => token.call(treasury, "approve", [router, 2n ** 255n])));
    const critical = { on: "treasury", by: ["token_balance"], severity: "critical" } as const;
    return {
      watched: { treasury },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(30) }, () =>
          usdc.call(treasury, "transfer", [pick(users), amount(4_000n * usd)]),
        ),
        ...Array.from({ length: times(30) }, () =>
          usdc.call(pick(users), "transfer", [treasury, amount(4_000n * usd)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [usdc.call(router, "transferFrom", [treasury, attacker, 1_500_000n * usd])],
          signals: [{ ...critical, what: "a quarter of the dollars taken" }],
        },
        {
          at: 12,
          send: () => [weth.call(router, "transferFrom", [treasury, attacker, 880n * ether])],
          signals: [{ ...critical, what: "a token taken that never moved" }],
        },
      ],
    };
  },
};
