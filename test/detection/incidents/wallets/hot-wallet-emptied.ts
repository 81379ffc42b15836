import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;
const usd = 10n ** 6n;

/** A stolen key empties the hot wallet of an exchange, as at Phemex in January 2025. */
export const hotWalletEmptied: Incident = {
  name: "Hot wallet emptied (Phemex, January 2025)",
  covers: ["G2"],
  async setUp({ chain, users, deployer, attacker, coin }) {
    const usdt = await coin("USDT", 6, 1_000_000_000);
    const wallet = await chain.account(3_000n * ether);
    await chain.run(
      usdt.call(deployer, "transfer", [wallet, 8_000_000n * usd]),
      ...users.map((user) => usdt.call(deployer, "transfer", [user, 1_000_000n * usd])),
    );
    return {
      watched: { wallet },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(80) }, () =>
          usdt.call(wallet, "transfer", [pick(users), amount(5_000n * usd)]),
        ),
        ...Array.from({ length: times(80) }, () =>
          usdt.call(pick(users), "transfer", [wallet, amount(5_000n * usd)]),
        ),
        ...Array.from({ length: times(40) }, () => ({
          from: wallet,
          to: pick(users),
          value: amount(2n * ether),
        })),
        ...Array.from({ length: times(42) }, () => ({
          from: pick(users),
          to: wallet,
          value: amount(2n * ether),
        })),
      ],
      attack: [
        {
          at: 0,
          send: () => [{ from: wallet, to: attacker, value: 2_400n * ether }],
          signals: [
            {
              on: "wallet",
              what: "ether drained",
              by: ["native_balance"],
              rule: /drain/i,
              severity: "critical",
            },
          ],
        },
        {
          at: 12,
          send: () => [usdt.call(wallet, "transfer", [attacker, 6_000_000n * usd])],
          signals: [{ on: "wallet", what: "tokens drained", by: ["token_balance"], severity: "critical" }],
        },
      ],
    };
  },
};
