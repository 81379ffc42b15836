import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** A stolen key names another distributor, who raises the rate of the rewards and claims them (staking contracts, 2021 to 2025). */
export const rewardsInflated: Incident = {
  name: "Rewards of a staking contract inflated (staking contracts, 2021 to 2025)",
  covers: ["G1", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [token, lp] = [await coin("SNX", 18, 100_000_000), await coin("LP", 18, 100_000_000)];
    const staking = await chain.deploy("StakingRewards", token.address, lp.address);
    await fund(lp, 200_000n * unit, staking);
    await chain.run(
      token.call(deployer, "transfer", [staking.address, 2_000_000n * unit]),
      lp.call(deployer, "transfer", [attacker, 100_000n * unit]),
      lp.call(attacker, "approve", [staking.address, 2n ** 255n]),
      staking.call(deployer, "notifyRewardAmount", [70_000n * unit]),
      ...users.map((user) => staking.call(user, "stake", [50_000n * unit])),
    );
    const critical = { on: "staking", severity: "critical" } as const;
    return {
      watched: { staking: staking.address },
      traffic: ({ times, pick, amount }) => [
        ...["stake", "withdraw"].flatMap((one) =>
          Array.from({ length: times(30) }, () => staking.call(pick(users), one, [amount(300n * unit)])),
        ),
        ...Array.from({ length: times(40) }, () => staking.call(pick(users), "getReward")),
      ],
      attack: [
        {
          at: 0,
          send: () => [
            staking.call(deployer, "setRewardsDistribution", [attacker]),
            staking.call(attacker, "stake", [100_000n * unit]),
          ],
          signals: [
            { ...critical, what: "distributor replaced", by: ["configuration_change", "view_function"] },
          ],
        },
        {
          at: 36,
          send: () => [staking.call(attacker, "notifyRewardAmount", [120_000_000_000n * unit])],
          signals: [
            {
              ...critical,
              what: "a million times the rewards",
              by: ["configuration_change", "rare_event", "view_function", "event_value"],
            },
          ],
        },
        {
          at: 60,
          send: () => [staking.call(attacker, "getReward")],
          signals: [{ ...critical, what: "rewards drained", by: ["token_balance"] }],
        },
        {
          at: 96,
          send: () => [staking.call(deployer, "recoverERC20", [lp.address, 500_000n * unit])],
          signals: [
            { ...critical, what: "stake taken", by: ["token_balance"], rule: /LP/ },
            {
              ...critical,
              severity: "warning",
              what: "tokens recovered",
              by: ["configuration_change", "rare_event"],
            },
          ],
        },
      ],
    };
  },
};
