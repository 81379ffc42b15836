import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** A donation multiplies the value of a share, against which the attacker borrows, as at Resupply in June 2025. */
export const sharePriceInflated: Incident = {
  name: "Share price inflated by a donation (Resupply, June 2025)",
  covers: ["G1"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usd = await coin("crvUSD", 18, 1_000_000_000);
    const vault = await chain.deploy("ShareVault", usd.address);
    await fund(usd, 1_000_000n * unit, vault);
    await chain.run(
      vault.call(deployer, "deposit", [400_000n * unit, deployer]),
      usd.call(deployer, "transfer", [attacker, 5_000_000n * unit]),
    );
    return {
      watched: { vault: vault.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(20) }, () => {
          const user = pick(users);
          return vault.call(user, "deposit", [amount(2_000n * unit), user]);
        }),
        // Yield is paid in small parts.
        ...Array.from({ length: times(24) }, () =>
          usd.call(deployer, "transfer", [vault.address, 8n * unit]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [usd.call(attacker, "transfer", [vault.address, 4_000_000n * unit])],
          signals: [
            { on: "vault", what: "value of a share up", by: ["view_function"], severity: "critical" },
          ],
        },
      ],
    };
  },
};
