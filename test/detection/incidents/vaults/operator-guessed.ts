import type { Incident } from "../../scene.ts";

const [unit, usd] = [10n ** 18n, 10n ** 6n];

/** The key of an operator is guessed, and it moves the funds of a vault like every day, to another address. */
export const operatorGuessed: Incident = {
  name: "Key of a vault's operator guessed (Wintermute, September 2022)",
  covers: ["G2"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [usdc, weth] = [await coin("USDC", 6, 1_000_000_000), await coin("WETH", 18, 1_000_000)];
    const vault = await chain.deploy("OperatedVault");
    const [operator, other] = users;
    const venues = users.slice(2);
    await fund(usdc, 2_000_000n * usd);
    await fund(weth, 1_000n * unit);
    await chain.run(
      usdc.call(deployer, "transfer", [vault.address, 20_000_000n * usd]),
      weth.call(deployer, "transfer", [vault.address, 6_000n * unit]),
      vault.call(deployer, "setOperator", [operator, true]),
    );
    const critical = { on: "vault", by: ["token_balance"], severity: "critical" } as const;
    return {
      watched: { vault: vault.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(60) }, () =>
          vault.call(operator ?? deployer, "move", [usdc.address, pick(venues), amount(20_000n * usd)]),
        ),
        ...Array.from({ length: times(60) }, () =>
          usdc.call(pick(venues), "transfer", [vault.address, amount(20_000n * usd)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [vault.call(deployer, "setOperator", [other, true])],
          signals: [
            {
              on: "vault",
              severity: "critical",
              what: "operator added",
              by: ["rare_event", "configuration_change", "ownership_change"],
            },
          ],
        },
        {
          at: 600,
          send: () => [vault.call(operator ?? deployer, "move", [weth.address, attacker, 5_900n * unit])],
          signals: [{ ...critical, what: "ether moved that never moved", rule: /WETH/ }],
        },
        {
          at: 624,
          send: () => [vault.call(operator ?? deployer, "move", [usdc.address, attacker, 9_000_000n * usd])],
          signals: [{ ...critical, what: "dollars moved", rule: /USDC/ }],
        },
      ],
    };
  },
};
