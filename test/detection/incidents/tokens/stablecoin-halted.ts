import type { Incident } from "../../scene.ts";

const unit = 10n ** 6n;

/** A token is paused after a theft, a large part of it burned, it is resumed, and its owner changes. */
export const stablecoinHalted: Incident = {
  name: "Token paused, burned and resumed (Gala, May 2024)",
  covers: ["G2", "G4", "G12"],
  async setUp({ chain, users, deployer, attacker, coin }) {
    const token = await coin("GALA", 6, 100_000_000);
    await chain.run(...users.map((user) => token.call(deployer, "transfer", [user, 1_000_000n * unit])));
    return {
      watched: { token: token.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(400) }, () =>
          token.call(pick(users), "transfer", [pick(users), amount(1_000n * unit)]),
        ),
        ...Array.from({ length: times(2) }, () =>
          token.call(deployer, "mint", [deployer, amount(40_000n * unit)]),
        ),
        ...Array.from({ length: times(2) }, () => token.call(deployer, "burn", [amount(40_000n * unit)])),
      ],
      attack: [
        {
          at: 0,
          send: () => [token.call(deployer, "pause")],
          signals: [{ on: "token", what: "paused", by: ["pause_state"], severity: "critical" }],
        },
        {
          at: 60,
          send: () => [token.call(deployer, "unpause")],
          signals: [{ on: "token", what: "unpaused", by: ["pause_state"], severity: "critical" }],
        },
        {
          at: 84,
          send: () => [token.call(deployer, "burn", [30_000_000n * unit])],
          signals: [{ on: "token", what: "supply down", by: ["token_supply"], severity: "warning" }],
        },
        {
          at: 108,
          send: () => [token.call(deployer, "transferOwnership", [attacker])],
          signals: [{ on: "token", what: "owner changed", by: ["ownership_change"], severity: "critical" }],
        },
      ],
    };
  },
};
