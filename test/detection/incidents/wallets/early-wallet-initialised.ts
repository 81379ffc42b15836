import { encodeFunctionData } from "viem";
import type { Incident } from "../../scene.ts";

const [ether, usd] = [10n ** 18n, 10n ** 6n];

/** A stranger initialises a wallet of several owners again and empties it, as with Parity's wallets in July 2017. */
export const earlyWalletInitialised: Incident = {
  name: "Early wallet initialised by a stranger (Parity, July 2017)",
  covers: ["G2", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdt = await coin("USDT", 6, 1_000_000_000);
    const wallet = await chain.deploy("EarlyWallet", users.slice(0, 3), 2n, 1_000n * ether);
    await fund(usdt, 1_000_000n * usd);
    await chain.run(usdt.call(deployer, "transfer", [wallet.address, 5_000_000n * usd]), {
      from: deployer,
      to: wallet.address,
      value: 4_000n * ether,
    });
    const pay = (to: string, amount: bigint) =>
      encodeFunctionData({ abi: usdt.abi, functionName: "transfer", args: [to, amount] });
    const [owner] = users;
    const critical = { on: "wallet", severity: "critical" } as const;
    const control = ["configuration_change", "ownership_change", "view_function"];
    return {
      watched: { wallet: wallet.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(6) }, () =>
          wallet.call(owner ?? deployer, "execute", [
            usdt.address,
            0n,
            pay(pick(users), amount(3_000n * usd)),
          ]),
        ),
        ...Array.from({ length: times(4) }, () =>
          wallet.call(owner ?? deployer, "execute", [pick(users), amount(ether), "0x"]),
        ),
        ...Array.from({ length: times(4) }, () => ({
          from: pick(users),
          to: wallet.address,
          value: amount(ether),
        })),
      ],
      attack: [
        {
          at: 0,
          send: () => [wallet.call(attacker, "initWallet", [[attacker], 1n, 10_000n * ether])],
          signals: [{ ...critical, what: "owners replaced", by: control }],
        },
        {
          at: 24,
          send: () => [wallet.call(attacker, "execute", [attacker, 3_900n * ether, "0x"])],
          signals: [{ ...critical, what: "ether drained", by: ["native_balance"] }],
        },
        {
          at: 36,
          send: () => [wallet.call(attacker, "execute", [usdt.address, 0n, pay(attacker, 4_800_000n * usd)])],
          signals: [{ ...critical, what: "tokens drained", by: ["token_balance"] }],
        },
      ],
    };
  },
};
