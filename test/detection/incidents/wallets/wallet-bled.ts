import type { Sending } from "../../chain.ts";
import type { Incident } from "../../scene.ts";

const [ether, usd] = [10n ** 18n, 10n ** 6n];

/** A stolen key takes small amounts for hours, as from the hot wallets of Stake and CoinEx in September 2023. */
export const walletBled: Incident = {
  name: "Wallet drained in many small transfers (Stake and CoinEx, September 2023)",
  covers: ["G2"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdt = await coin("USDT", 6, 1_000_000_000);
    const wallet = await chain.account(900n * ether);
    await fund(usdt, 5_000_000n * usd);
    await chain.run(usdt.call(deployer, "transfer", [wallet, 8_000_000n * usd]));
    let [left, leftEther] = [8_000_000n * usd, 900n * ether];
    // Each step takes a twelfth of what there is.
    const bleed = (): Sending[] => {
      const [part, etherPart] = [left / 12n, leftEther / 12n];
      [left, leftEther] = [left - part, leftEther - etherPart];
      return [
        usdt.call(wallet, "transfer", [attacker, part]),
        { from: wallet, to: attacker, value: etherPart },
      ];
    };
    const critical = { on: "wallet", severity: "critical" } as const;
    const half = [
      { ...critical, what: "half of the tokens gone", by: ["token_balance"] },
      { ...critical, what: "half of the ether gone", by: ["native_balance"] },
    ];
    return {
      watched: { wallet },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(40) }, () =>
          usdt.call(wallet, "transfer", [pick(users), amount(3_000n * usd)]),
        ),
        ...Array.from({ length: times(40) }, () =>
          usdt.call(pick(users), "transfer", [wallet, amount(3_000n * usd)]),
        ),
      ],
      // The rules may fire before half is gone, so that the signals are due when a fifth is.
      attack: Array.from({ length: 10 }, (_, at) => ({
        at: at * 660,
        send: bleed,
        ...(at === 2 && { signals: half }),
      })),
    };
  },
};
