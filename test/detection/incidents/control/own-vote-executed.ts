import type { Incident } from "../../scene.ts";

const setting = ["configuration_change", "rare_event", "view_function"];

/** Borrowed votes pass and execute a vote at once, as at Beanstalk in April 2022, in a contract for votes of no standard. */
export const ownVoteExecuted: Incident = {
  name: "Borrowed votes execute a vote at once (Beanstalk and votes in the style of Aragon)",
  covers: ["G8", "G11"],
  async setUp({ chain, deployer, users, attacker }) {
    const voting = await chain.deploy("Voting");
    await chain.run(voting.call(deployer, "newVote", ["First"]));
    const proposals = ["governance_proposal", "event_frequency", "configuration_change", "rare_event"];
    return {
      watched: { voting: voting.address },
      traffic: ({ times, pick }) =>
        Array.from({ length: times(30) }, () => voting.call(pick(users), "vote", [0n, true, 5n])),
      attack: [
        {
          at: 0,
          send: () => [voting.call(attacker, "newVote", ["Donate"])],
          signals: [{ on: "voting", what: "vote started", by: proposals, severity: "warning" }],
        },
        {
          at: 36,
          send: () => [voting.call(attacker, "executeVote", [1n])],
          signals: [{ on: "voting", what: "vote executed", by: proposals, severity: "warning" }],
        },
        {
          at: 72,
          send: () => [voting.call(attacker, "changeMinAcceptQuorumPct", [1n])],
          signals: [{ on: "voting", what: "quorum cut", by: setting, severity: "critical" }],
        },
      ],
    };
  },
};
