import type { Incident } from "../../scene.ts";

const [unit, usd] = [10n ** 18n, 10n ** 6n];

/** A market lists a token that only looks like another and lends against it, as at Ionic in February 2025. */
export const worthlessCollateralListed: Incident = {
  name: "Worthless collateral listed and lent against (Ionic, February 2025)",
  covers: ["G1", "G9", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [usdc, weth] = [await coin("USDC", 6, 1_000_000_000), await coin("WETH", 18, 10_000_000)];
    const comptroller = await chain.deploy("ListingComptroller");
    const dollars = await chain.deploy("CToken", comptroller.address, usdc.address);
    const ethers = await chain.deploy("CToken", comptroller.address, weth.address);
    await fund(usdc, 1_000_000n * usd, dollars);
    await fund(weth, 1_000n * unit, ethers);
    await chain.run(
      comptroller.call(deployer, "_supportMarket", [dollars.address]),
      comptroller.call(deployer, "_supportMarket", [ethers.address]),
      dollars.call(deployer, "mint", [6_000_000n * usd]),
      ethers.call(deployer, "mint", [4_000n * unit]),
      dollars.call(deployer, "borrow", [2_000_000n * usd]),
      ethers.call(deployer, "borrow", [1_500n * unit]),
    );
    const critical = { severity: "critical" } as const;
    const setting = ["configuration_change", "rare_event"];
    return {
      watched: { comptroller: comptroller.address, dollars: dollars.address, ethers: ethers.address },
      traffic: ({ times, pick, amount }) => [
        ...["mint", "borrow", "repayBorrow"].flatMap((one) => [
          ...Array.from({ length: times(20) }, () => dollars.call(pick(users), one, [amount(2_000n * usd)])),
          ...Array.from({ length: times(15) }, () => ethers.call(pick(users), one, [amount(unit)])),
        ]),
        ...Array.from({ length: times(30) }, () => comptroller.call(pick(users), "enterMarkets", [[]])),
      ],
      attack: [
        {
          at: 0,
          send: () => [comptroller.call(deployer, "_supportMarket", [attacker])],
          signals: [{ ...critical, on: "comptroller", what: "market listed", by: setting }],
        },
        {
          at: 24,
          send: () => [comptroller.call(deployer, "_setCollateralFactor", [attacker, 9n * 10n ** 17n])],
          signals: [{ ...critical, on: "comptroller", what: "collateral factor set", by: setting }],
        },
        {
          at: 72,
          send: () => [
            // As much as there is: those that exceed the rest fail.
            ...[3_900_000n, 100_000n, 50_000n, 25_000n, 12_000n, 6_000n, 3_000n].map((size) =>
              dollars.call(attacker, "borrow", [size * usd]),
            ),
            ethers.call(attacker, "borrow", [2_440n * unit]),
          ],
          signals: [
            { ...critical, on: "dollars", what: "cash drained", by: ["token_balance"] },
            { ...critical, on: "dollars", what: "lent out", by: ["utilization"] },
            { ...critical, on: "ethers", what: "cash drained", by: ["token_balance"] },
          ],
        },
      ],
    };
  },
};
