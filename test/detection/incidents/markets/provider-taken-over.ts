import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** Owners sign away a lending market, whose deposit tokens then get code that pays the thief, as at Radiant in October 2024. */
export const providerTakenOver: Incident = {
  name: "Lending market signed away and its deposit tokens emptied (Radiant, October 2024)",
  covers: ["B5", "G1"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const weth = await coin("WETH", 18, 10_000_000);
    const provider = await chain.deploy("MarketProvider", deployer);
    const code = await chain.deploy("DepositToken", weth.address);
    const evil = await chain.deploy("DepositTokenThatPays", weth.address);
    const proxy = await chain.deploy("BehindAdmin", code.address, deployer);
    const deposits = chain.at(proxy.address, "DepositTokenThatPays");
    await fund(weth, 10_000n * unit);
    await chain.run(
      deposits.call(deployer, "mint", [deployer, 20_000n * unit]),
      weth.call(deployer, "transfer", [deposits.address, 20_000n * unit]),
    );
    const [slot] = await chain.rpc([
      {
        method: "eth_getStorageAt",
        params: [
          proxy.address,
          "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103",
          "latest",
        ],
      },
    ]);
    const proxyAdmin = chain.at(`0x${String(slot).slice(-40)}`, "AdminOfProxy");
    const critical = { severity: "critical" } as const;
    return {
      watched: { provider: provider.address, deposits: deposits.address },
      traffic: ({ times, pick, amount }) =>
        Array.from({ length: times(50) }, () => [pick(users), amount(8n * unit)] as const).flatMap(
          ([user, size], at) =>
            at % 2 === 0
              ? [
                  weth.call(user, "transfer", [deposits.address, size]),
                  deposits.call(deployer, "mint", [user, size]),
                ]
              : [deposits.call(deployer, "transferUnderlyingTo", [user, size])],
        ),
      attack: [
        {
          at: 0,
          send: () => [provider.call(deployer, "transferOwnership", [attacker])],
          signals: [{ ...critical, on: "provider", what: "owner changed", by: ["ownership_change"] }],
        },
        {
          at: 24,
          send: () => [provider.call(attacker, "setLendingPoolImpl", [attacker])],
          signals: [
            {
              ...critical,
              on: "provider",
              what: "pool replaced",
              by: ["configuration_change", "view_function", "rare_event"],
            },
          ],
        },
        {
          at: 36,
          send: () => [proxyAdmin.call(deployer, "upgradeAndCall", [proxy.address, evil.address, "0x"])],
          signals: [{ ...critical, on: "deposits", what: "code replaced", by: ["proxy_implementation"] }],
        },
        {
          at: 48,
          send: () => [deposits.call(attacker, "sweep", [weth.address, attacker])],
          signals: [{ ...critical, on: "deposits", what: "assets drained", by: ["token_balance"] }],
        },
      ],
    };
  },
};
