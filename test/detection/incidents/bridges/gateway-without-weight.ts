import type { Incident } from "../../scene.ts";

const [ether, usd] = [10n ** 18n, 10n ** 6n];

/** An upgrade leaves out a part of its initialisation, so that withdrawals need no vote. */
export const gatewayWithoutWeight: Incident = {
  name: "Withdrawals of a bridge need no votes after an upgrade (Ronin, August 2024)",
  covers: ["G2", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdc = await coin("USDC", 6, 1_000_000_000);
    const gateway = await chain.deploy("WeightedGateway");
    await fund(usdc, 1_000_000n * usd, gateway);
    await chain.run(usdc.call(deployer, "transfer", [gateway.address, 4_000_000n * usd]), {
      from: deployer,
      to: gateway.address,
      value: 900n * ether,
    });
    const critical = { on: "gateway", severity: "critical" } as const;
    return {
      watched: { gateway: gateway.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(40) }, () =>
          gateway.call(pick(users), "requestDepositFor", [usdc.address, amount(2_000n * usd)]),
        ),
        ...Array.from({ length: times(30) }, () =>
          gateway.call(deployer, "submitWithdrawal", [usdc.address, pick(users), amount(2_000n * usd), 0n]),
        ),
        ...Array.from({ length: times(20) }, () => {
          const value = amount(ether / 10n);
          return gateway.call(pick(users), "requestDepositFor", [usdc.address, 0n], value);
        }),
        ...Array.from({ length: times(15) }, () =>
          gateway.call(deployer, "submitWithdrawal", [usdc.address, pick(users), 0n, amount(ether / 10n)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [gateway.call(deployer, "initializeV4")],
          signals: [{ ...critical, what: "weight of the votes zero", by: ["configuration_change"] }],
        },
        {
          at: 1_200,
          send: () => [
            gateway.call(attacker, "submitWithdrawal", [usdc.address, attacker, 0n, 700n * ether]),
          ],
          signals: [{ ...critical, what: "ether drained", by: ["native_balance"] }],
        },
        {
          at: 1_224,
          send: () => [
            gateway.call(attacker, "submitWithdrawal", [usdc.address, attacker, 2_000_000n * usd, 0n]),
          ],
          signals: [{ ...critical, what: "dollars drained", by: ["token_balance"] }],
        },
      ],
    };
  },
};
