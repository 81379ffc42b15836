import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/**
 * The code of proxies is replaced to take what they hold, as at UPCX in April 2025: by a beacon, by an admin, and by a slot of
 * its own.
 */
export const sharedCodeReplaced: Incident = {
  name: "Code of proxies replaced (UPCX, April 2025)",
  covers: ["B5", "G2"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const token = await coin("UPC", 18, 1_000_000_000);
    const [code, evil] = [await chain.deploy("Locker"), await chain.deploy("LockerThatPays")];
    const beacon = await chain.deploy("SharedBeacon", code.address);
    const admin = await chain.account(10n * unit);
    const proxies = {
      shared: await chain.deploy("BehindBeacon", beacon.address),
      administered: await chain.deploy("BehindAdmin", code.address, admin),
      routed: await chain.deploy("RoutedProxy", code.address),
    };
    const lockers = Object.values(proxies).map(({ address }) => chain.at(address, "Locker"));
    await fund(token, 100_000n * unit, ...lockers);
    await chain.run(
      ...lockers.map((locker) => locker.call(deployer, "store", [token.address, 900_000n * unit])),
    );
    const [adminOfProxy] = await chain.rpc([
      {
        method: "eth_getStorageAt",
        params: [
          proxies.administered.address,
          "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103",
          "latest",
        ],
      },
    ]);
    const proxyAdmin = chain.at(`0x${String(adminOfProxy).slice(-40)}`, "AdminOfProxy");
    const take = (address: `0x${string}`) =>
      chain.at(address, "LockerThatPays").call(attacker, "take", [token.address, attacker, 800_000n * unit]);
    const critical = { severity: "critical" } as const;
    const upgrade = ["proxy_implementation", "configuration_change", "view_function"];
    return {
      watched: Object.fromEntries(Object.entries(proxies).map(([name, { address }]) => [name, address])),
      traffic: ({ times, pick, amount }) =>
        lockers.flatMap((locker) =>
          Array.from({ length: times(20) }, () =>
            locker.call(pick(users), "store", [token.address, amount(20n * unit)]),
          ),
        ),
      attack: [
        {
          at: 0,
          send: () => [beacon.call(deployer, "upgradeTo", [evil.address])],
          signals: [{ ...critical, on: "shared", what: "beacon upgraded", by: upgrade }],
        },
        {
          at: 24,
          send: () => [
            proxyAdmin.call(admin, "upgradeAndCall", [proxies.administered.address, evil.address, "0x"]),
          ],
          signals: [{ ...critical, on: "administered", what: "upgraded", by: upgrade }],
        },
        {
          at: 48,
          send: () => [proxies.routed.call(deployer, "changeLogic", [evil.address])],
          signals: [{ ...critical, on: "routed", what: "code replaced", by: upgrade }],
        },
        {
          at: 84,
          send: () => Object.values(proxies).map(({ address }) => take(address)),
          signals: Object.keys(proxies).map((on) => ({
            ...{ ...critical, on, what: "tokens drained", by: ["token_balance"] },
          })),
        },
      ],
    };
  },
};
