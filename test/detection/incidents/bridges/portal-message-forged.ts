import type { Incident } from "../../scene.ts";

const [ether, usd] = [10n ** 18n, 10n ** 6n];
const setting = ["configuration_change", "rare_event", "ownership_change", "view_function"];

/** A witness is added and messages are forged, so that a bridge unlocks tokens and mints others, as at ioTube and CrossCurve. */
export const portalMessageForged: Incident = {
  name: "Forged messages unlock and mint (ioTube and CrossCurve, February 2026)",
  covers: ["G1", "G2", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [usdc, weth] = [await coin("USDC", 6, 1_000_000_000), await coin("WETH", 18, 1_000_000)];
    const witnesses = await chain.deploy("WitnessList");
    const portal = await chain.deploy("TokenPortal");
    const cash = await chain.deploy("CrosschainCash", 40_000_000n * ether);
    await fund(usdc, 3_000_000n * usd, portal);
    await fund(weth, 3_000n * ether, portal);
    await chain.run(
      ...users.slice(0, 3).map((user) => witnesses.call(deployer, "addWitness", [user])),
      portal.call(deployer, "lock", [usdc.address, 2_500_000n * usd, deployer]),
      portal.call(deployer, "lock", [weth.address, 2_000n * ether, deployer]),
    );
    const critical = { severity: "critical" } as const;
    return {
      watched: { witnesses: witnesses.address, portal: portal.address, cash: cash.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(30) }, () =>
          portal.call(pick(users), "lock", [usdc.address, amount(2_000n * usd), deployer]),
        ),
        ...Array.from({ length: times(30) }, () =>
          portal.call(deployer, "expressExecute", [usdc.address, pick(users), amount(2_000n * usd)]),
        ),
        ...Array.from({ length: times(20) }, () =>
          cash.call(deployer, "mint", [pick(users), amount(2_000n * ether)]),
        ),
        ...Array.from({ length: times(20) }, () => cash.call(deployer, "burn", [amount(1_500n * ether)])),
      ],
      attack: [
        {
          at: 0,
          send: () => [witnesses.call(deployer, "addWitness", [attacker])],
          signals: [{ ...critical, on: "witnesses", what: "witness added", by: setting }],
        },
        {
          at: 36,
          send: () => [portal.call(deployer, "transferOwnership", [attacker])],
          signals: [{ ...critical, on: "portal", what: "owner changed", by: setting }],
        },
        {
          at: 72,
          send: () => [portal.call(attacker, "expressExecute", [usdc.address, attacker, 2_000_000n * usd])],
          signals: [{ ...critical, on: "portal", what: "dollars unlocked", by: ["token_balance"] }],
        },
        {
          at: 84,
          send: () => [portal.call(attacker, "expressExecute", [weth.address, attacker, 2_000n * ether])],
          signals: [{ ...critical, on: "portal", what: "a token that hardly moves", by: ["token_balance"] }],
        },
        {
          at: 120,
          send: () => [cash.call(deployer, "setMinter", [attacker])],
          signals: [{ ...critical, on: "cash", what: "minter replaced", by: setting }],
        },
        {
          at: 156,
          send: () => [cash.call(attacker, "mint", [attacker, 400_000_000n * ether])],
          signals: [{ ...critical, on: "cash", what: "supply up", by: ["token_supply"] }],
        },
      ],
    };
  },
};
