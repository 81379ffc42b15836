import type { Incident } from "../../scene.ts";

const control = ["ownership_change", "configuration_change", "view_function"];

/** Votes that were bought pass a proposal for their buyer, as proposal 289 of Compound in July 2024. */
export const bravoCaptured: Incident = {
  name: "Bravo governor captured (Compound, July 2024)",
  covers: ["G12"],
  async setUp({ chain, deployer, attacker }) {
    const governor = await chain.deploy("BravoGovernor");
    const critical = { on: "governor", severity: "critical" } as const;
    const warning = { on: "governor", severity: "warning" } as const;
    const proposal = [[attacker], [0n], [""], ["0x"], "Golden Boys"];
    return {
      watched: { governor: governor.address },
      attack: [
        {
          at: 0,
          send: () => [governor.call(attacker, "propose", proposal)],
          signals: [{ ...warning, what: "proposal created", by: ["governance_proposal"] }],
        },
        {
          at: 24,
          send: () => [governor.call(attacker, "execute", [1n])],
          signals: [{ ...warning, what: "proposal executed", by: ["event_frequency"] }],
        },
        {
          at: 60,
          send: () => [governor.call(deployer, "_setVotingPeriod", [10n])],
          signals: [{ ...critical, what: "voting period cut", by: control }],
        },
        {
          at: 96,
          send: () => [governor.call(deployer, "_setWhitelistGuardian", [attacker])],
          signals: [{ ...critical, what: "guardian replaced", by: control }],
        },
        {
          at: 132,
          send: () => [governor.call(attacker, "_acceptAdmin")],
          signals: [{ ...critical, what: "admin replaced", by: control }],
        },
      ],
    };
  },
};
