import type { Incident } from "../../scene.ts";

const unit = 10n ** 6n;
const setting = ["configuration_change", "ownership_change", "view_function"];

/**
 * Who controls a vault replaces its code and takes what it holds, as at Munchables in March 2024. The vault follows no
 * standard.
 */
export const ownVaultTakenOver: Incident = {
  name: "Vault of its own design taken over and emptied (Munchables, March 2024)",
  covers: ["G1", "G2", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usd = await coin("USDC", 6, 1_000_000_000);
    const silo = await chain.deploy("YieldSilo", usd.address);
    await fund(usd, 1_000_000n * unit, silo);
    await chain.run(
      silo.call(deployer, "enter", [5_000_000n * unit]),
      ...users.map((user) => silo.call(user, "enter", [200_000n * unit])),
    );
    const critical = { on: "silo", severity: "critical" } as const;
    return {
      watched: { silo: silo.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(50) }, () => silo.call(pick(users), "enter", [amount(3_000n * unit)])),
        ...Array.from({ length: times(40) }, () => silo.call(pick(users), "leave", [amount(3_000n * unit)])),
      ],
      attack: [
        {
          at: 0,
          send: () => [usd.call(deployer, "transfer", [silo.address, 1_200_000n * unit])],
          signals: [{ ...critical, what: "value of a share up", by: ["view_function"] }],
        },
        {
          at: 24,
          send: () => [silo.call(deployer, "moveGovernance", [attacker])],
          signals: [{ ...critical, what: "governance moved", by: setting }],
        },
        {
          at: 60,
          send: () => [silo.call(attacker, "replaceStrategy", [attacker])],
          signals: [{ ...critical, what: "strategy replaced", by: setting }],
        },
        {
          at: 96,
          send: () => [silo.call(attacker, "report", [attacker, 6_000_000n * unit])],
          signals: [{ ...critical, what: "tokens drained", by: ["token_balance"] }],
        },
        {
          at: 132,
          send: () => [silo.call(deployer, "setHalted", [true])],
          signals: [{ ...critical, what: "halted", by: ["pause_state", "configuration_change"] }],
        },
        {
          at: 180,
          send: () => [silo.call(deployer, "setHalted", [false])],
          signals: [{ ...critical, what: "resumed", by: ["pause_state", "configuration_change"] }],
        },
      ],
    };
  },
};
