import { keccak256, toHex } from "viem";
import type { Incident } from "../../scene.ts";

const usd = 10n ** 6n;

/** Anyone can set the prices of an exchange through its forwarder, opens low and closes high, as at KiloEx in April 2025. */
export const forwardedPriceSet: Incident = {
  name: "Prices of an exchange for perpetual contracts set by a stranger (KiloEx, April 2025)",
  covers: ["G1", "G3", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdc = await coin("USDC", 6, 1_000_000_000);
    const store = await chain.deploy("PriceStore");
    const vault = await chain.deploy("PerpetualVault", usdc.address);
    await fund(usdc, 1_000_000n * usd, vault);
    await chain.run(
      usdc.call(deployer, "transfer", [vault.address, 7_000_000n * usd]),
      usdc.call(deployer, "transfer", [attacker, 1_000_000n * usd]),
      usdc.call(attacker, "approve", [vault.address, 2n ** 255n]),
    );
    const product = keccak256(toHex("ETH"));
    let price = 1_600;
    const setTo = (next: number) =>
      store.call(attacker, "setPrice", [product, BigInt(Math.round(next * 1e8))]);
    const critical = { severity: "critical" } as const;
    return {
      watched: { store: store.address, vault: vault.address },
      traffic: ({ times, pick, amount, random }) => {
        price *= 1 + (random() - 0.5) * 0.004;
        return [
          store.call(deployer, "setPrice", [product, BigInt(Math.round(price * 1e8))]),
          ...Array.from({ length: times(60) }, () =>
            vault.call(pick(users), "openPosition", [amount(1_000n * usd)]),
          ),
          ...Array.from({ length: times(55) }, () =>
            vault.call(pick(users), "closePosition", [1n, amount(1_000n * usd)]),
          ),
        ];
      },
      attack: [
        {
          at: 0,
          send: () => [setTo(100), vault.call(attacker, "openPosition", [500_000n * usd])],
          signals: [
            {
              ...critical,
              on: "store",
              what: "price down",
              by: ["oracle_price", "event_value", "anomaly_detection", "view_function"],
            },
          ],
        },
        {
          at: 24,
          send: () => [setTo(10_000), vault.call(attacker, "closePosition", [1n, 3_100_000n * usd])],
          signals: [{ ...critical, on: "vault", what: "dollars drained", by: ["token_balance"] }],
        },
      ],
    };
  },
};
