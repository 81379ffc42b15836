import type { Incident } from "../../scene.ts";

const unit = 10n ** 6n;

/** A flaw in a vault lets an attacker take assets without shares, as at Euler in March 2023. */
export const shareVaultDrained: Incident = {
  name: "ERC-4626 vault drained (Euler, March 2023)",
  covers: ["G1", "G2"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usd = await coin("USDC", 6, 1_000_000_000);
    const vault = await chain.deploy("ShareVault", usd.address);
    await fund(usd, 1_000_000n * unit, vault);
    await chain.run(vault.call(deployer, "deposit", [2_000_000n * unit, deployer]));
    return {
      watched: { vault: vault.address },
      targets: [{ target_type: "tvl", config: { tokens: [{ token: usd.address, price: 1 }] } }],
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(60) }, () => {
          const user = pick(users);
          return vault.call(user, "deposit", [amount(5_000n * unit), user]);
        }),
        ...Array.from({ length: times(50) }, () => {
          const user = pick(users);
          return vault.call(user, "withdraw", [amount(4_000n * unit), user, user]);
        }),
      ],
      attack: [
        {
          at: 0,
          send: () => [vault.call(attacker, "exploit", [attacker, 1_500_000n * unit])],
          signals: [
            { on: "vault", what: "assets drained", by: ["token_balance"], severity: "critical" },
            { on: "vault", what: "value of a share down", by: ["view_function"], severity: "critical" },
          ],
        },
      ],
    };
  },
};
