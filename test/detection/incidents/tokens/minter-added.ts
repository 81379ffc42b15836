import { keccak256, toHex } from "viem";
import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** A stolen key adds a minter, who mints a fraction of the supply and then a multiple, as at PlayDapp in February 2024. */
export const minterAdded: Incident = {
  name: "Minter added and tokens minted (PlayDapp, February 2024)",
  covers: ["G2"],
  async setUp({ chain, users, deployer, attacker }) {
    const token = await chain.deploy("RoleCoin", "PLA", 700_000_000n * unit);
    await chain.run(...users.map((user) => token.call(deployer, "transfer", [user, 1_000_000n * unit])));
    return {
      watched: { token: token.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(200) }, () =>
          token.call(pick(users), "transfer", [pick(users), amount(2_000n * unit)]),
        ),
        // Rewards.
        ...Array.from({ length: times(4) }, () =>
          token.call(deployer, "mint", [pick(users), amount(30_000n * unit)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [token.call(deployer, "grantRole", [keccak256(toHex("MINTER_ROLE")), attacker])],
          signals: [{ on: "token", what: "minter added", by: ["ownership_change"], severity: "critical" }],
        },
        {
          at: 24,
          send: () => [token.call(attacker, "mint", [attacker, 36_000_000n * unit])],
          signals: [{ on: "token", what: "a twentieth minted", by: ["token_supply"], severity: "critical" }],
        },
      ],
    };
  },
};
