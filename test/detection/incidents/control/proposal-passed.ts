import { keccak256, toHex } from "viem";
import type { Incident } from "../../scene.ts";

/** Delegated votes pass a proposal that pays its author, as at Compound in July 2024; its timelock queues and changes hands. */
export const proposalPassed: Incident = {
  name: "Proposal in favour of its author (Compound, July 2024)",
  covers: ["G8"],
  async setUp({ chain, users, attacker }) {
    const governor = await chain.deploy("Council");
    const timelock = await chain.deploy("CompoundTimelock", 172_800n);
    const proposal = [[attacker], [0n], ["0x"], "Invest the treasury"] as const;
    const [targets, values, calls, text] = proposal;
    return {
      watched: { governor: governor.address, timelock: timelock.address },
      traffic: ({ times, pick }) =>
        Array.from({ length: times(4) }, () => ({ from: pick(users), to: pick(users), value: 1n })),
      attack: [
        {
          at: 0,
          send: () => [governor.call(attacker, "propose", [targets, values, calls, text])],
          signals: [
            { on: "governor", what: "proposal created", by: ["governance_proposal"], severity: "warning" },
          ],
        },
        { at: 48, send: () => users.map((user) => governor.call(user, "vote", [text])) },
        {
          at: 240,
          send: () => [governor.call(attacker, "execute", [targets, values, calls, keccak256(toHex(text))])],
          signals: [
            {
              on: "governor",
              what: "proposal executed",
              by: ["event_frequency"],
              rule: /executed/i,
              severity: "warning",
            },
          ],
        },
        {
          at: 60,
          send: () => [
            timelock.call(attacker, "queueTransaction", [attacker, 0n, "take()", "0x", 10n ** 10n]),
          ],
          signals: [
            {
              on: "timelock",
              what: "operation queued",
              by: ["governance_proposal", "event_frequency"],
              severity: "critical",
            },
          ],
        },
        {
          at: 84,
          send: () => [timelock.call(attacker, "setDelay", [3_600n]), timelock.call(attacker, "acceptAdmin")],
          signals: [
            { on: "timelock", what: "delay shortened", by: ["timelock_delay"], severity: "critical" },
            { on: "timelock", what: "admin changed", by: ["ownership_change"], severity: "critical" },
          ],
        },
      ],
    };
  },
};
