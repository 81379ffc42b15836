import type { Incident } from "../../scene.ts";

/** Holders of collectibles approve a malicious operator, and the owner mints, as with Premint and OpenSea users. */
export const collectiblesPhished: Incident = {
  name: "Operators of collectibles phished (Premint and later drainers)",
  covers: ["G6", "G2"],
  async setUp({ chain, users, deployer, attacker }) {
    const token = await chain.deploy("Collectible");
    const market = await chain.account(10n ** 20n);
    await chain.run(...users.map((user) => token.call(deployer, "mint", [user, 20n])));
    return {
      watched: { collection: token.address },
      traffic: ({ times, pick }) =>
        Array.from({ length: times(40) }, () => token.call(pick(users), "setApprovalForAll", [market, true])),
      attack: [
        {
          at: 0,
          send: () =>
            users.slice(0, 9).map((user) => token.call(user, "setApprovalForAll", [attacker, true])),
          signals: [
            {
              on: "collection",
              what: "many approvals of one operator",
              by: ["event_frequency"],
              rule: /approval/i,
              severity: "warning",
            },
          ],
        },
        {
          at: 36,
          send: () => [token.call(deployer, "mint", [attacker, 60n])],
          signals: [{ on: "collection", what: "supply up", by: ["token_supply"], severity: "critical" }],
        },
      ],
    };
  },
};
