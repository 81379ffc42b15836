import type { Hex } from "viem";
import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** A minimal proxy that holds tokens is emptied through its shared code, as the escrows of several markets were. */
export const cloneEmptied: Incident = {
  name: "Clone emptied through its shared code (escrows, 2023 to 2025)",
  covers: ["G1", "G11", "B5"],
  async setUp({ chain, deployer, attacker, coin }) {
    const token = await coin("DAI", 18, 1_000_000_000);
    const code = await chain.deploy("Escrow");
    const address = await chain.create(
      `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${code.address.slice(2)}5af43d82803e903d91602b57fd5bf3` as Hex,
    );
    const escrow = chain.at(address, "Escrow");
    await chain.run(token.call(deployer, "transfer", [escrow.address, 500_000n * unit]));
    return {
      watched: { escrow: escrow.address },
      traffic: ({ times, amount }) => [
        ...Array.from({ length: times(5) }, () =>
          escrow.call(deployer, "pay", [token.address, deployer, amount(500n * unit)]),
        ),
        ...Array.from({ length: times(5) }, () =>
          token.call(deployer, "transfer", [escrow.address, amount(500n * unit)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [escrow.call(attacker, "pay", [token.address, attacker, 400_000n * unit])],
          signals: [{ on: "escrow", what: "tokens drained", by: ["token_balance"], severity: "critical" }],
        },
      ],
    };
  },
};
