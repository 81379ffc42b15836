import { encodeFunctionData } from "viem";
import type { Incident } from "../../scene.ts";

const unit = 10n ** 6n;

/** Bad debt is absorbed by the reserves of a Compound V3 market until they are negative, and the market is paused. */
export const cometBadDebt: Incident = {
  name: "Bad debt in a Compound V3 market (deUSD collateral, November 2025)",
  covers: ["G4", "G9", "G11", "B5"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdc = await coin("USDC", 6, 10_000_000_000);
    const code = await chain.deploy("Comet");
    const data = encodeFunctionData({ abi: code.abi, functionName: "initialize", args: [usdc.address] });
    const proxy = await chain.deploy("ERC1967Proxy", code.address, data);
    const comet = chain.at(proxy.address, "Comet");
    await fund(usdc, 5_000_000n * unit, comet);
    await chain.run(
      comet.call(deployer, "supply", [10_000_000n * unit]),
      comet.call(deployer, "borrow", [7_000_000n * unit]),
      usdc.call(deployer, "transfer", [comet.address, 50_000n * unit]),
    );
    const absorb = (amount: bigint) => comet.call(attacker, "absorb", [deployer, amount * unit]);
    return {
      watched: { market: comet.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(40) }, () =>
          comet.call(pick(users), "supply", [amount(3_000n * unit)]),
        ),
        ...Array.from({ length: times(30) }, () =>
          comet.call(pick(users), "borrow", [amount(1_500n * unit)]),
        ),
        ...Array.from({ length: times(1) }, () => comet.call(pick(users), "absorb", [deployer, 10n * unit])),
      ],
      attack: [
        {
          at: 0,
          send: () => [absorb(900_000n)],
          signals: [
            {
              on: "market",
              what: "negative reserves",
              by: ["view_function"],
              rule: /reserves/i,
              severity: "critical",
            },
          ],
        },
        {
          at: 24,
          send: () => [1n, 2n, 3n, 4n].map(absorb),
          signals: [
            { on: "market", what: "burst of absorbed debt", by: ["event_frequency"], severity: "critical" },
          ],
        },
        {
          at: 48,
          send: () => [comet.call(deployer, "pause", [true])],
          signals: [{ on: "market", what: "paused", by: ["pause_state"], severity: "critical" }],
        },
        {
          at: 96,
          send: () => [comet.call(deployer, "pause", [false])],
          signals: [{ on: "market", what: "unpaused", by: ["pause_state"], severity: "critical" }],
        },
      ],
    };
  },
};
