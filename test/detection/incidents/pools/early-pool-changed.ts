import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;
const control = ["ownership_change", "configuration_change", "view_function"];

/** A stolen key changes an early stable pool before it is emptied by trades at a wrong curve. */
export const earlyPoolChanged: Incident = {
  name: "Early stable pool changed by a stolen key (admin keys of pools, 2021 to 2025)",
  covers: ["G1", "G9"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [usd, eur] = [await coin("USDX", 6, 1_000_000_000), await coin("USDY", 18, 1_000_000_000)];
    const pool = await chain.deploy("EarlyStablePool", usd.address, eur.address);
    await fund(usd, 3_000_000n * 10n ** 6n, pool);
    await fund(eur, 3_000_000n * unit, pool);
    await chain.run(pool.call(deployer, "add_liquidity", [[8_000_000n * 10n ** 6n, 8_000_000n * unit]]));
    const swap = (user: (typeof users)[number], isFirst: boolean, size: bigint) =>
      isFirst
        ? pool.call(user, "exchange", [0n, 1n, size * 10n ** 6n, size * unit])
        : pool.call(user, "exchange", [1n, 0n, size * unit, size * 10n ** 6n]);
    const critical = { on: "pool", severity: "critical" } as const;
    return {
      watched: { pool: pool.address },
      traffic: ({ times, pick, amount, random }) =>
        Array.from({ length: times(200) }, () => swap(pick(users), random() < 0.5, amount(2_000n))),
      attack: [
        {
          at: 0,
          send: () => [pool.call(deployer, "apply_transfer_ownership", [attacker])],
          signals: [{ ...critical, what: "owner changed", by: control }],
        },
        {
          at: 36,
          send: () => [pool.call(attacker, "apply_new_fee", [5_000_000_000n])],
          signals: [{ ...critical, what: "fee changed", by: control }],
        },
        {
          at: 72,
          send: () => [pool.call(attacker, "ramp_A", [20_000n])],
          signals: [{ ...critical, what: "curve changed", by: control }],
        },
        {
          at: 108,
          send: () => [swap(deployer, true, 7_000_000n)],
          signals: [
            { ...critical, what: "one asset drained", by: ["token_balance"] },
            { ...critical, what: "pool imbalanced", by: ["pool_imbalance"] },
          ],
        },
        {
          at: 144,
          send: () => [pool.call(attacker, "kill_me", [true])],
          signals: [{ ...critical, what: "killed", by: ["pause_state", ...control] }],
        },
      ],
    };
  },
};
