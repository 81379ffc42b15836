import { type Hex, pad, toHex, zeroAddress } from "viem";
import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;
const usd = 10n ** 6n;

/** A role that anyone can take unlocks what a bridge holds, as at Force Bridge in June 2025. The bridge has names of its own. */
export const ownBridgeUnlocked: Incident = {
  name: "Bridge of its own design unlocked without a lock (Force Bridge, June 2025)",
  covers: ["G1", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdt = await coin("USDT", 6, 10_000_000_000);
    const gateway = await chain.deploy("GuardedGateway");
    await fund(usdt, 5_000_000n * usd, gateway);
    await chain.run(
      gateway.call(deployer, "lockForChain", [1n, usdt.address, 20_000_000n * usd]),
      gateway.call(deployer, "lockForChain", [1n, zeroAddress, 0n], 3_000n * ether),
    );
    let unlocked = 0;
    const unlock = (from: Hex, token: Hex, to: Hex, amount: bigint) =>
      gateway.call(from, "unlockFromChain", [pad(toHex(++unlocked), { size: 32 }), token, to, amount]);
    const critical = { on: "gateway", severity: "critical" } as const;
    return {
      watched: { gateway: gateway.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(60) }, () =>
          gateway.call(pick(users), "lockForChain", [1n, usdt.address, amount(6_000n * usd)]),
        ),
        ...Array.from({ length: times(60) }, () =>
          unlock(deployer, usdt.address, pick(users), amount(6_000n * usd)),
        ),
        ...Array.from({ length: times(10) }, () =>
          gateway.call(pick(users), "lockForChain", [1n, zeroAddress, 0n], amount(2n * ether)),
        ),
        ...Array.from({ length: times(10) }, () =>
          unlock(deployer, zeroAddress, pick(users), amount(2n * ether)),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [gateway.call(attacker, "seize")],
          signals: [{ ...critical, what: "role taken", by: ["ownership_change"] }],
        },
        {
          at: 24,
          send: () => [gateway.call(attacker, "whitelist", [attacker])],
          signals: [{ ...critical, what: "authority added", by: ["configuration_change"] }],
        },
        {
          at: 60,
          send: () => [gateway.call(attacker, "setQuorum", [1])],
          signals: [{ ...critical, what: "quorum cut", by: ["configuration_change", "view_function"] }],
        },
        {
          at: 96,
          send: () => [unlock(attacker, usdt.address, attacker, 5_000_000n * usd)],
          signals: [{ ...critical, what: "a quarter of the tokens gone", by: ["token_balance"] }],
        },
        {
          at: 108,
          send: () => [unlock(attacker, zeroAddress, attacker, 1_500n * ether)],
          signals: [{ ...critical, what: "ether unlocked", by: ["native_balance"] }],
        },
      ],
    };
  },
};
