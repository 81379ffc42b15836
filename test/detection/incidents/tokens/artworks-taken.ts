import type { Incident } from "../../scene.ts";

/** A flaw lets an attacker take the collectibles that a contract keeps for users, as at Flooring Protocol in December 2023. */
export const artworksTaken: Incident = {
  name: "Collectibles taken from a vault (Flooring Protocol, December 2023)",
  covers: ["G1", "G6"],
  async setUp({ chain, users, deployer, attacker }) {
    const works = await chain.deploy("Artworks");
    const vault = await chain.deploy("ArtVault", works.address);
    const items = await chain.deploy("GameItems");
    await chain.run(works.call(deployer, "create", [deployer, 0n, 40n]));
    await chain.run(
      ...users.flatMap((user, at) => [
        works.call(deployer, "create", [user, BigInt(100 * (at + 1)), 30n]),
        works.call(user, "setApprovalForAll", [vault.address, true]),
        items.call(deployer, "give", [user, 1n, 100n]),
      ]),
    );
    await chain.run(works.call(deployer, "setApprovalForAll", [vault.address, true]));
    for (let from = 0; from < 40; from += 20)
      await chain.run(
        ...Array.from({ length: 20 }, (_, at) => vault.call(deployer, "keep", [BigInt(from + at)])),
      );
    const kept = new Set<bigint>();
    return {
      watched: { vault: vault.address, items: items.address },
      traffic: ({ times, random }) =>
        Array.from({ length: times(30) }, () => {
          const at = Math.floor(random() * users.length);
          const id = BigInt(100 * (at + 1) + Math.floor(random() * 30));
          const isKept = kept.delete(id);
          if (!isKept) kept.add(id);
          return vault.call(users[at] ?? deployer, isKept ? "giveBack" : "keep", [id]);
        }),
      attack: [
        {
          at: 0,
          send: () => [vault.call(attacker, "exploit", [0n, 39n, attacker])],
          signals: [{ on: "vault", what: "collectibles taken", by: ["token_balance"], severity: "critical" }],
        },
        {
          at: 24,
          send: () =>
            users.slice(0, 10).map((user) => items.call(user, "setApprovalForAll", [attacker, true])),
          signals: [{ on: "items", what: "items phished", by: ["event_frequency"], severity: "warning" }],
        },
      ],
    };
  },
};
