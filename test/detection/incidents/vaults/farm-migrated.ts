import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;
const setting = ["configuration_change", "rare_event", "view_function"];

/** The owner of a farm names a contract that takes the deposits away, as in many farms in the style of MasterChef. */
export const farmMigrated: Incident = {
  name: "Deposits of a farm migrated away (farms in the style of MasterChef, 2020 to 2025)",
  covers: ["G1", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [lp, other] = [await coin("LP", 18, 100_000_000), await coin("LP2", 18, 100_000_000)];
    const farm = await chain.deploy("Farm");
    await fund(lp, 400_000n * unit, farm);
    await fund(other, 400_000n * unit, farm);
    await chain.run(
      farm.call(deployer, "add", [100n, lp.address]),
      farm.call(deployer, "add", [40n, other.address]),
      ...users.flatMap((user) => [0n, 1n].map((pool) => farm.call(user, "deposit", [pool, 100_000n * unit]))),
    );
    const critical = { on: "farm", severity: "critical" } as const;
    return {
      watched: { farm: farm.address },
      traffic: ({ times, pick, amount }) =>
        ["deposit", "withdraw"].flatMap((one) =>
          Array.from({ length: times(60) }, () =>
            farm.call(pick(users), one, [pick([0n, 1n]), amount(900n * unit)]),
          ),
        ),
      attack: [
        {
          at: 0,
          send: () => [farm.call(deployer, "updateEmissionRate", [4_000n * unit])],
          signals: [{ ...critical, what: "a thousand times the rewards", by: setting }],
        },
        {
          at: 48,
          send: () => [farm.call(deployer, "setMigrator", [attacker])],
          signals: [{ ...critical, what: "migrator set", by: setting }],
        },
        {
          at: 96,
          send: () => [farm.call(attacker, "migrate", [0n])],
          signals: [{ ...critical, what: "first pool drained", by: ["token_balance"] }],
        },
        {
          at: 108,
          send: () => [farm.call(attacker, "migrate", [1n])],
          signals: [{ ...critical, what: "second pool drained", by: ["token_balance"] }],
        },
      ],
    };
  },
};
