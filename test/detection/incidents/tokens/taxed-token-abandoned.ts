import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;
const control = ["ownership_change", "configuration_change", "view_function"];

/** The owner of a token raises its taxes, blocks holders and mints, as in many rug pulls. The minter is named without an event. */
export const taxedTokenAbandoned: Incident = {
  name: "Token with taxes minted and abandoned (rug pulls, 2021 to 2025)",
  covers: ["G2"],
  async setUp({ chain, users, deployer, attacker }) {
    const token = await chain.deploy("TaxedToken", 1_000_000_000n * unit);
    await chain.run(...users.map((user) => token.call(deployer, "transfer", [user, 1_000_000n * unit])));
    const critical = { on: "token", severity: "critical" } as const;
    return {
      watched: { token: token.address },
      traffic: ({ times, pick, amount }) =>
        Array.from({ length: times(250) }, () =>
          token.call(pick(users), "transfer", [pick(users), amount(400n * unit)]),
        ),
      attack: [
        {
          at: 0,
          send: () => [token.call(deployer, "appoint", [attacker])],
          signals: [{ ...critical, what: "minter replaced", by: control }],
        },
        {
          at: 48,
          send: () => [token.call(deployer, "setTaxes", [99n, 99n])],
          signals: [{ ...critical, what: "taxes raised", by: control }],
        },
        {
          at: 84,
          send: () => users.slice(0, 3).map((user) => token.call(deployer, "setBlocked", [user, true])),
          signals: [{ ...critical, what: "holders blocked", by: control }],
        },
        {
          at: 120,
          send: () => [token.call(attacker, "create", [attacker, 10_000_000_000n * unit])],
          signals: [{ ...critical, what: "tenfold mint", by: ["token_supply"] }],
        },
        {
          at: 156,
          send: () => [token.call(deployer, "renounceOwnership")],
          signals: [{ ...critical, what: "abandoned", by: ["ownership_change"] }],
        },
      ],
    };
  },
};
