import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** A stolen key replaces the code of a token, mints without limit and sells into its pool, as at Ankr in December 2022. */
export const stakedCoinUpgraded: Incident = {
  name: "Code of a token replaced and tokens minted (Ankr, December 2022)",
  covers: ["B5", "G2"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [code, open] = [await chain.deploy("StakedCoin"), await chain.deploy("StakedCoinOpen")];
    const admin = await chain.account(10n * unit);
    const proxy = await chain.deploy("BehindAdmin", code.address, admin);
    const token = chain.at(proxy.address, "StakedCoinOpen");
    await chain.run(token.call(deployer, "start", [deployer, 120_000n * unit]));
    const wbnb = await coin("WBNB", 18, 1_000_000);
    const pair = await chain.deploy("PairV2", token.address, wbnb.address);
    await fund(token, 1_000n * unit, pair);
    await fund(wbnb, 1_000n * unit, pair);
    await chain.run(
      pair.call(deployer, "add", [9_000n * unit, 9_500n * unit]),
      token.call(attacker, "approve", [pair.address, 2n ** 255n]),
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
      watched: { token: token.address, pair: pair.address },
      traffic: ({ times, pick, amount, random }) => [
        ...Array.from({ length: times(120) }, () =>
          token.call(pick(users), "transfer", [pick(users), amount(2n * unit)]),
        ),
        ...Array.from({ length: times(120) }, () =>
          pair.call(pick(users), "swap", [random() < 0.5, amount(2n * unit), 0n]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [proxyAdmin.call(admin, "upgradeAndCall", [proxy.address, open.address, "0x"])],
          signals: [{ ...critical, on: "token", what: "code replaced", by: ["proxy_implementation"] }],
        },
        {
          at: 48,
          send: () => [token.call(attacker, "mint", [attacker, 6_000_000_000n * unit])],
          signals: [{ ...critical, on: "token", what: "supply up", by: ["token_supply"] }],
        },
        {
          at: 60,
          send: () => [pair.call(attacker, "swap", [true, 1_000_000n * unit, 0n])],
          signals: [
            { ...critical, on: "pair", what: "coins drained", by: ["token_balance"] },
            { ...critical, on: "pair", what: "price down", by: ["pool_price"] },
          ],
        },
      ],
    };
  },
};
