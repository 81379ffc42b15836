import type { Incident } from "../../scene.ts";

const [unit, usd] = [10n ** 18n, 10n ** 6n];

/** Borrowed deposits vote for a proposal, which takes everything in the same block. */
export const siloCommitted: Incident = {
  name: "Borrowed votes commit a proposal at once (Beanstalk, April 2022)",
  covers: ["G2", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [bean, lp] = [await coin("BEAN", 6, 200_000_000), await coin("BEAN3CRV", 18, 50_000_000)];
    const silo = await chain.deploy("Silo");
    await fund(bean, 2_000_000n * usd, silo);
    await fund(lp, 1_000_000n * unit, silo);
    await chain.run(
      bean.call(deployer, "transfer", [attacker, 30_000_000n * usd]),
      bean.call(attacker, "approve", [silo.address, 2n ** 255n]),
      ...users.flatMap((user) => [
        silo.call(user, "deposit", [bean.address, 500_000n * usd]),
        silo.call(user, "deposit", [lp.address, 300_000n * unit]),
      ]),
      silo.call(deployer, "propose"),
    );
    const critical = { on: "silo", severity: "critical" } as const;
    return {
      watched: { silo: silo.address },
      traffic: ({ times, pick, amount }) =>
        ["deposit", "withdraw"].flatMap((one) => [
          ...Array.from({ length: times(30) }, () =>
            silo.call(pick(users), one, [bean.address, amount(1_000n * usd)]),
          ),
          ...Array.from({ length: times(20) }, () =>
            silo.call(pick(users), one, [lp.address, amount(500n * unit)]),
          ),
        ]),
      attack: [
        {
          at: 0,
          send: () => [silo.call(attacker, "propose")],
          signals: [
            {
              on: "silo",
              severity: "warning",
              what: "proposal of a stranger",
              by: ["governance_proposal", "rare_event", "configuration_change"],
            },
          ],
        },
        {
          at: 1_800,
          send: () => [
            silo.call(attacker, "deposit", [bean.address, 30_000_000n * usd]),
            silo.call(attacker, "emergencyCommit", [2, [bean.address, lp.address], attacker]),
          ],
          signals: [
            { ...critical, what: "beans drained", by: ["token_balance"], rule: /BEAN\b/ },
            { ...critical, what: "liquidity drained", by: ["token_balance"], rule: /3CRV/ },
          ],
        },
      ],
    };
  },
};
