import type { Incident } from "../../scene.ts";

const usd = 10n ** 6n;

/** The first depositor of a new vault donates to it, so that the next deposits round to no shares (empty vaults, 2023 to 2025). */
export const firstDepositInflated: Incident = {
  name: "First deposit of a new vault inflated (empty vaults, 2023 to 2025)",
  covers: ["G1", "G2"],
  async setUp({ chain, deployer, attacker, users, coin, fund }) {
    const usdc = await coin("USDC", 6, 1_000_000_000);
    const vault = await chain.deploy("ShareVault", usdc.address);
    await fund(usdc, 1_000_000n * usd, vault);
    await chain.run(
      usdc.call(deployer, "transfer", [attacker, 100_000n * usd]),
      usdc.call(attacker, "approve", [vault.address, 2n ** 255n]),
    );
    const [victim] = users;
    return {
      watched: { vault: vault.address },
      attack: [
        { at: 0, send: () => [vault.call(attacker, "deposit", [1n, attacker])] },
        {
          at: 24,
          send: () => [usdc.call(attacker, "transfer", [vault.address, 20_000n * usd])],
          signals: [
            { on: "vault", what: "value of a share up", by: ["view_function"], severity: "critical" },
          ],
        },
        {
          at: 36,
          send: () => [vault.call(victim ?? deployer, "deposit", [15_000n * usd, victim ?? deployer])],
        },
        {
          at: 60,
          send: () => [vault.call(attacker, "exploit", [attacker, 34_000n * usd])],
          signals: [{ on: "vault", what: "assets drained", by: ["token_balance"], severity: "critical" }],
        },
      ],
    };
  },
};
