import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;
const usd = 10n ** 6n;

/** A manipulated price lets an attacker borrow everything and liquidates others, as at UwU Lend in June 2024. */
export const aaveMarketLooted: Incident = {
  name: "Lending pool looted by a wrong price (UwU Lend, June 2024)",
  covers: ["G1", "G9"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const weth = await coin("WETH", 18, 10_000_000);
    const usdc = await coin("USDC", 6, 10_000_000_000);
    const pool = await chain.deploy("AavePool");
    await chain.run(pool.call(deployer, "list", [usdc.address]), pool.call(deployer, "list", [weth.address]));
    await fund(weth, 5_000n * ether, pool);
    await fund(usdc, 12_000_000n * usd, pool);
    await chain.run(
      pool.call(deployer, "supply", [usdc.address, 20_000_000n * usd]),
      pool.call(deployer, "supply", [weth.address, 4_000n * ether]),
      pool.call(deployer, "borrow", [usdc.address, 12_000_000n * usd]),
      pool.call(deployer, "borrow", [weth.address, 1_000n * ether]),
      ...users.map((user) => pool.call(user, "supply", [usdc.address, 100_000n * usd])),
    );
    const liquidation = (user: (typeof users)[number]) =>
      pool.call(user, "liquidationCall", [weth.address, usdc.address, deployer, 1_000n * usd]);
    return {
      watched: { pool: pool.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(40) }, () =>
          pool.call(pick(users), "supply", [usdc.address, amount(8_000n * usd)]),
        ),
        ...Array.from({ length: times(20) }, () =>
          pool.call(pick(users), "withdraw", [usdc.address, amount(4_000n * usd)]),
        ),
        ...Array.from({ length: times(30) }, () =>
          pool.call(pick(users), "borrow", [usdc.address, amount(6_000n * usd)]),
        ),
        ...Array.from({ length: times(30) }, () =>
          pool.call(pick(users), "repay", [usdc.address, amount(6_000n * usd)]),
        ),
        ...Array.from({ length: times(6) }, () => liquidation(pick(users))),
      ],
      attack: [
        {
          at: 0,
          send: () => users.slice(0, 6).map(liquidation),
          signals: [
            { on: "pool", what: "burst of liquidations", by: ["event_frequency"], severity: "critical" },
          ],
        },
        {
          at: 36,
          send: () => [pool.call(attacker, "borrow", [weth.address, 2_990n * ether])],
          signals: [
            { on: "pool", what: "reserve drained", by: ["token_balance"], severity: "critical" },
            { on: "pool", what: "full utilisation", by: ["utilization"], severity: "critical" },
          ],
        },
      ],
    };
  },
};
