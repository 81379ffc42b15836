import { encodeFunctionData } from "viem";
import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;
const unit = 10n ** 6n;
const control = ["ownership_change", "configuration_change", "view_function"];

/** Two stolen keys empty a multisig wallet from before Safe, as at Harmony in June 2022. */
export const companyWalletEmptied: Incident = {
  name: "Early multisig wallet emptied (Harmony, June 2022)",
  covers: ["G2"],
  async setUp({ chain, users, deployer, attacker, coin }) {
    const usdc = await coin("USDC", 6, 1_000_000_000);
    const wallet = await chain.deploy("CompanyWallet", users.slice(0, 5), 2n);
    await chain.run(usdc.call(deployer, "transfer", [wallet.address, 40_000_000n * unit]), {
      ...{ from: deployer, to: wallet.address, value: 4_000n * ether },
    });
    const pay = (to: string, amount: bigint) =>
      encodeFunctionData({ abi: usdc.abi, functionName: "transfer", args: [to, amount * unit] });
    const critical = { on: "wallet", severity: "critical" } as const;
    return {
      watched: { wallet: wallet.address },
      traffic: ({ times, pick }) =>
        Array.from({ length: times(6) }, () =>
          wallet.call(pick(users), "submitTransaction", [usdc.address, 0n, pay(pick(users), 30_000n)]),
        ),
      attack: [
        {
          at: 0,
          send: () => [wallet.call(attacker, "addOwner", [attacker])],
          signals: [{ ...critical, what: "owner added", by: control }],
        },
        {
          at: 24,
          send: () => [wallet.call(attacker, "changeRequirement", [1n])],
          signals: [{ ...critical, what: "one signature suffices", by: control }],
        },
        {
          at: 60,
          send: () => [
            wallet.call(attacker, "submitTransaction", [usdc.address, 0n, pay(attacker, 35_000_000n)]),
          ],
          signals: [{ ...critical, what: "tokens drained", by: ["token_balance"] }],
        },
        {
          at: 84,
          send: () => [wallet.call(attacker, "submitTransaction", [attacker, 3_500n * ether, "0x"])],
          signals: [{ ...critical, what: "ether drained", by: ["native_balance"] }],
        },
        {
          at: 120,
          send: () => [
            wallet.call(attacker, "submitTransaction", [usdc.address, 0n, pay(attacker, 10n ** 12n)]),
          ],
          signals: [
            { on: "wallet", what: "transaction failed", by: ["event_frequency"], severity: "warning" },
          ],
        },
      ],
    };
  },
};
