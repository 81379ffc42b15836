import { toFunctionSelector } from "viem";
import type { Incident } from "../../scene.ts";

const unit = 10n ** 6n;

/** A facet is added to a diamond that takes what it holds, as at Beanstalk and LI.FI. */
export const diamondCut: Incident = {
  name: "Facet added to a diamond (LI.FI, July 2024)",
  covers: ["G8", "B5", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdt = await coin("USDT", 6, 1_000_000_000);
    const diamond = await chain.deploy("Diamond");
    const [deposits, drains] = [await chain.deploy("DepositFacet"), await chain.deploy("DrainFacet")];
    const cut = (facetAddress: string, signature: string) => [
      [{ facetAddress, action: 0, functionSelectors: [toFunctionSelector(signature)] }],
      "0x0000000000000000000000000000000000000000",
      "0x",
    ];
    const asDeposits = chain.at(diamond.address, "DepositFacet");
    const asDrains = chain.at(diamond.address, "DrainFacet");
    await chain.run(diamond.call(deployer, "diamondCut", cut(deposits.address, "deposit(address,uint256)")));
    await fund(usdt, 1_000_000n * unit, diamond);
    await chain.run(asDeposits.call(deployer, "deposit", [usdt.address, 3_000_000n * unit]));
    return {
      watched: { diamond: diamond.address },
      traffic: ({ times, pick, amount }) =>
        Array.from({ length: times(60) }, () =>
          asDeposits.call(pick(users), "deposit", [usdt.address, amount(900n * unit)]),
        ),
      attack: [
        {
          at: 0,
          send: () => [diamond.call(attacker, "diamondCut", cut(drains.address, "drain(address,address)"))],
          signals: [
            { on: "diamond", what: "facet added", by: ["proxy_implementation"], severity: "critical" },
          ],
        },
        {
          at: 36,
          send: () => [asDrains.call(attacker, "drain", [usdt.address, attacker])],
          signals: [{ on: "diamond", what: "tokens drained", by: ["token_balance"], severity: "critical" }],
        },
      ],
    };
  },
};
