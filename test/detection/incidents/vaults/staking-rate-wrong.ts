import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;

/** The rate of a staking token is set wrongly, and its ether withdrawn, as with wrstETH in November 2025. */
export const stakingRateWrong: Incident = {
  name: "Rate of a staking token wrong (wrstETH, November 2025)",
  covers: ["G1", "G9"],
  async setUp({ chain, users, deployer, attacker }) {
    const token = await chain.deploy("StakedEther");
    await chain.run(
      token.call(deployer, "deposit", [], 60_000n * ether),
      token.call(deployer, "transfer", [attacker, 1_000n * ether]),
      ...users.map((user) => token.call(user, "deposit", [], 100n * ether)),
    );
    let [rate, last] = [105n * 10n ** 16n, 0];
    return {
      watched: { token: token.address },
      traffic({ time, times, pick, amount }) {
        const isDue = time > last + 86_400;
        if (isDue) [last, rate] = [time, rate + 10n ** 14n];
        return [
          ...(isDue ? [token.call(deployer, "updateExchangeRate", [rate])] : []),
          ...Array.from({ length: times(40) }, () =>
            token.call(pick(users), "deposit", [], amount(2n * ether)),
          ),
          ...Array.from({ length: times(20) }, () => token.call(pick(users), "withdraw", [amount(ether)])),
        ];
      },
      attack: [
        {
          at: 0,
          send: () => [token.call(deployer, "updateExchangeRate", [40n * ether])],
          signals: [{ on: "token", what: "rate up", by: ["view_function"], severity: "critical" }],
        },
        {
          at: 24,
          send: () => [token.call(attacker, "withdraw", [900n * ether])],
          signals: [{ on: "token", what: "ether drained", by: ["native_balance"], severity: "critical" }],
        },
        {
          at: 48,
          send: () => [token.call(deployer, "updateExchangeRate", [ether])],
          signals: [
            { on: "token", what: "rate down", by: ["view_function"], rule: /down/i, severity: "critical" },
          ],
        },
      ],
    };
  },
};
