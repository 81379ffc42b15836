import { keccak256, toHex, zeroHash } from "viem";
import type { Incident } from "../../scene.ts";

const [btc, usd] = [10n ** 8n, 10n ** 6n];

/** After an initialisation with the root zero, anyone proves any message, and many do, as at Nomad in August 2022. */
export const zeroRootProven: Incident = {
  name: "Messages proven by the root zero (Nomad, August 2022)",
  covers: ["G1", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const [wbtc, usdc] = [await coin("WBTC", 8, 1_000_000), await coin("USDC", 6, 1_000_000_000)];
    const router = await chain.deploy("MessageRouter");
    const replica = await chain.deploy("MessageReplica");
    await fund(wbtc, 1_000n * btc, router);
    await fund(usdc, 1_000_000n * usd, router);
    const root = (time: number) => keccak256(toHex(`root ${time}`));
    await chain.run(
      replica.call(deployer, "initialize", [deployer, root(0)]),
      router.call(deployer, "send", [wbtc.address, 1_000n * btc]),
      router.call(deployer, "send", [usdc.address, 80_000_000n * usd]),
    );
    const process = (from: typeof attacker, token: typeof wbtc, to: string, amount: bigint) =>
      replica.call(from, "process", [router.address, token.address, to, amount]);
    const critical = { severity: "critical" } as const;
    const setting = ["configuration_change", "rare_event", "view_function", "ownership_change"];
    return {
      watched: { router: router.address, replica: replica.address },
      traffic: ({ time, times, pick, amount }) => [
        ...Array.from({ length: times(24) }, () => replica.call(deployer, "update", [root(time)])),
        ...Array.from({ length: times(30) }, () =>
          router.call(pick(users), "send", [usdc.address, amount(3_000n * usd)]),
        ),
        ...Array.from({ length: times(30) }, () =>
          process(deployer, usdc, pick(users), amount(3_000n * usd)),
        ),
        ...Array.from({ length: times(8) }, () =>
          router.call(pick(users), "send", [wbtc.address, amount(btc / 10n)]),
        ),
        ...Array.from({ length: times(8) }, () => process(deployer, wbtc, pick(users), amount(btc / 10n))),
      ],
      attack: [
        {
          at: 0,
          send: () => [replica.call(deployer, "setConfirmation", [zeroHash, 1n])],
          signals: [
            { ...critical, on: "replica", what: "root zero confirmed", by: setting, severity: "warning" },
          ],
        },
        {
          at: 36,
          send: () => [replica.call(attacker, "initialize", [attacker, zeroHash])],
          signals: [{ ...critical, on: "replica", what: "updater replaced", by: setting }],
        },
        { at: 60, send: () => [process(attacker, wbtc, attacker, 100n * btc)] },
        {
          at: 120,
          send: () => [process(attacker, wbtc, attacker, 100n * btc)],
          signals: [
            { ...critical, on: "router", what: "a fifth of the bitcoin gone", by: ["token_balance"] },
          ],
        },
        ...Array.from({ length: 8 }, (_, at) => ({
          at: 240 + 60 * at,
          send: () => [process(pickOf(users, at), usdc, pickOf(users, at), 6_000_000n * usd)],
          ...(at === 1 && {
            signals: [
              {
                ...critical,
                on: "router",
                what: "a seventh of the dollars gone",
                by: ["token_balance"],
                rule: /USDC/,
              },
            ],
          }),
        })),
      ],
    };
  },
};

function pickOf<Item>(items: readonly Item[], at: number): Item {
  return items[at % items.length] as Item;
}
