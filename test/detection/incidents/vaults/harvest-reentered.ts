import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** A pool of the attacker deposits while its rewards are counted, and the deposits of others are paid as rewards. */
export const harvestReentered: Incident = {
  name: "Rewards counted during a deposit of a registered pool (Penpie, September 2024)",
  covers: ["G2", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const markets = [await coin("PT-agETH", 18, 10_000_000), await coin("PT-rswETH", 18, 10_000_000)];
    const master = await chain.deploy("RewardMaster");
    for (const market of markets) await fund(market, 20_000n * unit, master);
    await chain.run(
      ...markets.flatMap((market) =>
        [deployer, ...users].map((user) => master.call(user, "depositMarket", [market.address, 400n * unit])),
      ),
      ...markets.map((market) => master.call(deployer, "registerPool", [market.address])),
    );
    const [first, second] = markets;
    const critical = { on: "master", by: ["token_balance"], severity: "critical" } as const;
    return {
      watched: { master: master.address },
      traffic: ({ times, pick, amount }) => [
        ...["depositMarket", "withdrawMarket"].flatMap((one) =>
          Array.from({ length: times(50) }, () =>
            master.call(pick(users), one, [pick(markets).address, amount(10n * unit)]),
          ),
        ),
        ...Array.from({ length: times(20) }, () => {
          const user = pick(users);
          return master.call(user, "batchHarvest", [pick(markets).address, user, amount(unit / 10n)]);
        }),
      ],
      attack: [
        {
          at: 0,
          send: () => [master.call(attacker, "registerPool", [attacker])],
          signals: [
            {
              on: "master",
              severity: "warning",
              what: "pool of a stranger registered",
              by: ["rare_event", "configuration_change"],
            },
          ],
        },
        {
          at: 60,
          send: () => [master.call(attacker, "batchHarvest", [first?.address, attacker, 3_000n * unit])],
          signals: [{ ...critical, what: "first market drained", rule: /agETH/ }],
        },
        {
          at: 84,
          send: () => [master.call(attacker, "batchHarvest", [second?.address, attacker, 1_200n * unit])],
          signals: [{ ...critical, what: "second market drained", rule: /rswETH/ }],
        },
      ],
    };
  },
};
