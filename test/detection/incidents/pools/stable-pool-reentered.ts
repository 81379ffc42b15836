import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;
const coins = 5;

/** Liquidity is removed in the middle of another call, as at Curve in July 2023. The pool has five coins. */
export const stablePoolReentered: Incident = {
  name: "Stable pool of five coins re-entered (Curve, July 2023)",
  covers: ["G1", "G9"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const tokens = [];
    for (let at = 0; at < coins; at++) tokens.push(await coin(`USD${at}`, 18, 1_000_000_000));
    const pool = await chain.deploy(
      "StablePool",
      tokens.map(({ address }) => address),
    );
    for (const token of tokens) await fund(token, 2_000_000n * unit, pool);
    await chain.run(pool.call(deployer, "add", [tokens.map(() => 4_000_000n * unit)]));
    return {
      watched: { pool: pool.address },
      traffic: ({ times, pick, amount, random }) =>
        Array.from({ length: times(150) }, () => {
          const from = Math.floor(random() * coins);
          const to = (from + 1 + Math.floor(random() * (coins - 1))) % coins;
          const size = amount(1_000n * unit);
          return pool.call(pick(users), "exchange", [BigInt(from), BigInt(to), size, (size * 999n) / 1000n]);
        }),
      attack: [
        {
          at: 0,
          send: () => [pool.call(attacker, "exploit", [0n, attacker, 3_700_000n * unit])],
          signals: [
            { on: "pool", what: "tokens drained", by: ["token_balance"], severity: "critical" },
            { on: "pool", what: "value of a share down", by: ["view_function"], severity: "critical" },
          ],
        },
        {
          at: 48,
          send: () =>
            [1n, 2n, 3n].map((one) => pool.call(attacker, "exploit", [one, attacker, 3_850_000n * unit])),
          signals: [{ on: "pool", what: "pool imbalanced", by: ["pool_imbalance"], severity: "critical" }],
        },
      ],
    };
  },
};
