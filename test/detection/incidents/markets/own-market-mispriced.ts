import type { Incident } from "../../scene.ts";

const usd = 10n ** 6n;

/** A replaced price source lets an attacker borrow everything, as at Polter in November 2024. The market follows no standard. */
export const ownMarketMispriced: Incident = {
  name: "Market of its own design mispriced (Polter, November 2024)",
  covers: ["G1", "G7", "G9", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdc = await coin("USDC", 6, 10_000_000_000);
    const source = await chain.deploy("PushedFeed", 10n ** 8n);
    const other = await chain.deploy("PushedFeed", 10n ** 12n);
    const desk = await chain.deploy("LoanDesk", usdc.address, source.address);
    await fund(usdc, 2_000_000n * usd, desk);
    await chain.run(
      desk.call(deployer, "deposit", [10_000_000n * usd]),
      desk.call(deployer, "borrow", [4_000_000n * usd]),
    );
    const critical = { on: "desk", severity: "critical" } as const;
    const liquidate = (user: (typeof users)[number]) => desk.call(deployer, "liquidate", [user, 10n * usd]);
    return {
      watched: { desk: desk.address },
      traffic: ({ times, pick, amount }) =>
        ["deposit", "withdraw", "borrow", "repay"].flatMap((one) =>
          Array.from({ length: times(25) }, () => desk.call(pick(users), one, [amount(4_000n * usd)])),
        ),
      attack: [
        {
          at: 0,
          send: () => [desk.call(deployer, "pointTo", [other.address])],
          signals: [
            { ...critical, what: "price source replaced", by: ["configuration_change", "view_function"] },
          ],
        },
        {
          at: 48,
          send: () => [desk.call(deployer, "setCollateralFactor", [usdc.address, 10n ** 18n])],
          signals: [{ ...critical, what: "collateral factor changed", by: ["configuration_change"] }],
        },
        {
          at: 84,
          send: () => users.slice(0, 7).map(liquidate),
          signals: [{ ...critical, what: "burst of liquidations", by: ["event_frequency"] }],
        },
        {
          at: 120,
          // What exceeds the deposits fails.
          send: () =>
            [5_500_000n, 400_000n, 200_000n, 100_000n, 100_000n, 50_000n, 30_000n, 10_000n].map((one) =>
              desk.call(attacker, "borrow", [one * usd]),
            ),
          signals: [
            { ...critical, what: "lent out", by: ["utilization", "view_function"] },
            { ...critical, what: "cash drained", by: ["token_balance"] },
          ],
        },
        {
          at: 156,
          send: () =>
            users.flatMap((user) => [1, 2, 3, 4].map(() => desk.call(user, "borrow", [10n ** 16n]))),
          signals: [{ on: "desk", what: "transactions fail", by: ["revert_rate"], severity: "warning" }],
        },
      ],
    };
  },
};
