import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;
const steps = 14;

/** Holders of a failing stablecoin sell it into its pool for hours, as with UST in May 2022. */
export const stablePoolDumped: Incident = {
  name: "Failing stablecoin sold into its pool for hours (UST, May 2022)",
  covers: ["G1", "G9"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [ust, usdc] = [await coin("UST", 18, 1_000_000_000), await coin("USDC", 18, 1_000_000_000)];
    const pool = await chain.deploy("StablePool", [ust.address, usdc.address]);
    await fund(ust, 10_000_000n * unit, pool);
    await fund(usdc, 10_000_000n * unit, pool);
    await chain.run(
      pool.call(deployer, "add", [[50_000_000n * unit, 50_000_000n * unit]]),
      ust.call(deployer, "transfer", [attacker, 100_000_000n * unit]),
      ust.call(attacker, "approve", [pool.address, 2n ** 255n]),
    );
    const critical = { on: "pool", severity: "critical" } as const;
    const part = 3_000_000n * unit;
    return {
      watched: { pool: pool.address },
      traffic: ({ times, pick, amount, random }) =>
        Array.from({ length: times(150) }, () => {
          const from = random() < 0.5 ? 0n : 1n;
          const size = amount(15_000n * unit);
          return pool.call(pick(users), "exchange", [from, 1n - from, size, (size * 999n) / 1000n]);
        }),
      attack: Array.from({ length: steps }, (_, at) => ({
        at: at * 480,
        send: () => [pool.call(attacker, "exchange", [0n, 1n, part, (part * (99n - BigInt(at))) / 100n])],
        // The pool is four fifths of one asset after half of the other is gone.
        ...(at === 10 && { signals: [{ ...critical, what: "pool imbalanced", by: ["pool_imbalance"] }] }),
        ...(at === 8 && {
          signals: [{ ...critical, what: "half of the dollars gone", by: ["token_balance"] }],
        }),
      })),
    };
  },
};
