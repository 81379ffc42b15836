import type { Incident } from "../../scene.ts";

const usd = 10n ** 6n;
const setting = ["configuration_change", "rare_event", "ownership_change", "view_function"];

/** Keys of a stablecoin of an early design are abused: holders are blocked, their funds destroyed and new ones issued. */
export const earlyDollarAbused: Incident = {
  name: "Stablecoin of an early design abused (admin keys of stablecoins)",
  covers: ["G2", "G4", "G11"],
  async setUp({ chain, users, deployer, attacker }) {
    const token = await chain.deploy("EarlyDollar", 900_000_000n * usd);
    await chain.run(...users.map((user) => token.call(deployer, "transfer", [user, 30_000_000n * usd])));
    const critical = { on: "token", severity: "critical" } as const;
    return {
      watched: { token: token.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(400) }, () =>
          token.call(pick(users), "transfer", [pick(users), amount(3_000n * usd)]),
        ),
        ...Array.from({ length: times(40) }, () =>
          token.call(pick(users), "approve", [pick(users), amount(900n * usd)]),
        ),
        ...Array.from({ length: times(1) }, () => token.call(deployer, "issue", [2_000_000n * usd])),
        ...Array.from({ length: times(1) }, () => token.call(deployer, "redeem", [1_000_000n * usd])),
      ],
      attack: [
        {
          at: 0,
          send: () => [token.call(deployer, "transferOwnership", [attacker])],
          signals: [{ ...critical, what: "owner changed", by: setting }],
        },
        {
          at: 36,
          send: () => users.slice(0, 6).map((user) => token.call(attacker, "addBlackList", [user])),
          signals: [{ ...critical, what: "holders blocked", by: setting }],
        },
        {
          at: 72,
          send: () => users.slice(0, 6).map((user) => token.call(attacker, "destroyBlackFunds", [user])),
          signals: [{ ...critical, severity: "warning", what: "supply down", by: ["token_supply"] }],
        },
        {
          at: 108,
          send: () => [token.call(attacker, "setParams", [19n, 50n])],
          signals: [{ ...critical, what: "fee set", by: setting }],
        },
        {
          at: 144,
          send: () => [token.call(attacker, "issue", [200_000_000n * usd])],
          signals: [{ ...critical, what: "supply up", by: ["token_supply"] }],
        },
        {
          at: 180,
          send: () => [token.call(attacker, "pause")],
          signals: [{ ...critical, what: "paused", by: ["pause_state"] }],
        },
        {
          at: 216,
          send: () => [token.call(attacker, "deprecate", [attacker])],
          signals: [{ ...critical, what: "replaced by another contract", by: setting }],
        },
      ],
    };
  },
};
