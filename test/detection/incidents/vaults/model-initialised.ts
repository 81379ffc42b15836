import type { Incident } from "../../scene.ts";

const usd = 10n ** 6n;

/** The model that holds the funds of a protocol is initialised again, with a forge of the attacker. */
export const modelInitialised: Incident = {
  name: "Model of a vault initialised by a stranger (Punk Protocol, August 2021)",
  covers: ["G2", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdc = await coin("USDC", 6, 1_000_000_000);
    const model = await chain.deploy("ForgeModel");
    await fund(usdc, 1_000_000n * usd, model);
    await chain.run(
      model.call(deployer, "initialize", [deployer, usdc.address]),
      usdc.call(deployer, "transfer", [model.address, 3_000_000n * usd]),
    );
    const critical = { on: "model", severity: "critical" } as const;
    return {
      watched: { model: model.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(40) }, () => model.call(pick(users), "invest", [amount(2_000n * usd)])),
        ...Array.from({ length: times(40) }, () =>
          model.call(deployer, "withdrawTo", [amount(2_000n * usd), pick(users)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [model.call(attacker, "initialize", [attacker, usdc.address])],
          signals: [{ ...critical, what: "forge replaced", by: ["configuration_change", "rare_event"] }],
        },
        {
          at: 24,
          send: () => [model.call(attacker, "withdrawToForge", [2_900_000n * usd])],
          signals: [{ ...critical, what: "funds drained", by: ["token_balance"] }],
        },
      ],
    };
  },
};
