import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;
const usd = 10n ** 6n;

/** A contract of no standard that holds several assets is drained, as the vault of GMX V1 in July 2025. */
export const tradingVaultDrained: Incident = {
  name: "Vault of several assets drained (GMX, July 2025)",
  covers: ["G1", "G4", "G7", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const weth = await coin("WETH", 18, 10_000_000);
    const usdc = await coin("USDC", 6, 10_000_000_000);
    const vault = await chain.deploy("TradingVault");
    await fund(weth, 5_000n * ether, vault);
    await fund(usdc, 12_000_000n * usd, vault);
    await chain.run(
      vault.call(deployer, "increase", [weth.address, 6_000n * ether]),
      vault.call(deployer, "increase", [usdc.address, 20_000_000n * usd]),
      { from: deployer, to: vault.address, value: 500n * ether },
    );
    return {
      watched: { vault: vault.address },
      traffic: ({ times, pick, amount, random }) =>
        Array.from({ length: times(300) }, () => {
          const [token, usual] = random() < 0.5 ? [weth, ether] : [usdc, 2_500n * usd];
          const args = [token.address, amount(usual)];
          const isLate = random() < 0.08;
          if (isLate) return vault.call(pick(users), "decrease", [...args, 1n]);
          return random() < 0.52
            ? vault.call(pick(users), "increase", args)
            : vault.call(pick(users), "decrease", [...args, 0n]);
        }),
      attack: [
        {
          at: 0,
          send: () => [vault.call(attacker, "decrease", [usdc.address, 9_500_000n * usd, 0n])],
          signals: [
            {
              on: "vault",
              what: "dollars drained",
              by: ["token_balance"],
              rule: /USDC/,
              severity: "critical",
            },
          ],
        },
        {
          at: 12,
          send: () => [
            vault.call(attacker, "decrease", [weth.address, 3_500n * ether, 0n]),
            vault.call(attacker, "payEther", [attacker, 480n * ether]),
          ],
          signals: [
            {
              on: "vault",
              what: "ether tokens drained",
              by: ["token_balance"],
              rule: /WETH/,
              severity: "critical",
            },
            { on: "vault", what: "ether drained", by: ["native_balance"], severity: "critical" },
          ],
        },
        {
          at: 60,
          send: () => [vault.call(deployer, "pause")],
          signals: [{ on: "vault", what: "paused", by: ["pause_state"], severity: "critical" }],
        },
        {
          at: 84,
          send: () =>
            users.flatMap((user) => [0, 1].map(() => vault.call(user, "increase", [usdc.address, 1n]))),
          signals: [{ on: "vault", what: "transactions fail", by: ["revert_rate"], severity: "warning" }],
        },
      ],
    };
  },
};
