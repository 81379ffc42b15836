import { type Hex, zeroAddress } from "viem";
import type { Incident } from "../../scene.ts";

/** A desk for trades moves collectibles of everybody who once approved it, as at NFT Trader in December 2023. */
export const collectiblesCollected: Incident = {
  name: "Collectibles taken by approvals (NFT Trader, December 2023)",
  covers: ["G6"],
  async setUp({ chain, users, deployer, attacker }) {
    const [apes, items] = [await chain.deploy("Collectible"), await chain.deploy("GameItems")];
    const desk = await chain.deploy("CollectibleDesk");
    await chain.run(
      ...users.map((user) => apes.call(deployer, "mint", [user, 20n])),
      ...users.map((user) => items.call(deployer, "give", [user, 7n, 1_000n])),
      ...users.flatMap((user) =>
        [apes, items].map((contract) => contract.call(user, "setApprovalForAll", [desk.address, true])),
      ),
    );
    const first = (user: Hex) => BigInt(users.indexOf(user) * 20 + 1);
    const warning = { severity: "warning", by: ["event_frequency"], rule: /transfer/i } as const;
    return {
      watched: { apes: apes.address, items: items.address },
      traffic: ({ times, pick, random }) => [
        ...Array.from({ length: times(60) }, () => {
          const [user, id] = [pick(users), BigInt(1 + Math.floor(random() * 18))];
          return apes.call(user, "transferFrom", [user, pick(users), first(user) + id]);
        }),
        ...Array.from({ length: times(60) }, () => {
          const user = pick(users);
          return items.call(user, "safeTransferFrom", [user, pick(users), 7n, 1n, "0x"]);
        }),
        ...Array.from({ length: times(10) }, () => apes.call(pick(users), "approve", [zeroAddress, 1n])),
      ],
      attack: [
        {
          at: 0,
          send: () =>
            users.map((user) =>
              desk.call(attacker, "trade", [apes.address, user, attacker, first(user) + 19n]),
            ),
          signals: [{ ...warning, on: "apes", what: "many collectibles to one recipient" }],
        },
        {
          at: 24,
          send: () =>
            users.map((user) => desk.call(attacker, "tradeItems", [items.address, user, attacker, 7n, 100n])),
          signals: [{ ...warning, on: "items", what: "many items to one recipient" }],
        },
      ],
    };
  },
};
