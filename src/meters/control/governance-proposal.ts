import { z } from "zod";
import type { Decoded, Emitted } from "../../chains/activity.ts";
import { durationText } from "../../lib/text.ts";
import { eventReading } from "../evidence.ts";
import { spanText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { selectEvents, standardEvents } from "../standard-events.ts";
import { decodedOf, decodedText, numberText, type Words } from "../words.ts";

/** OpenZeppelin and Compound governors emit the same event. */
const proposals = [
  "ProposalCreated(uint256 proposalId, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 voteStart, uint256 voteEnd, string description)",
];
/** Events of OpenZeppelin and Compound timelocks. */
const queuedCalls = [
  "CallScheduled(bytes32 id, uint256 index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)",
  "QueueTransaction(bytes32 txHash, address target, uint256 value, string signature, bytes data, uint256 eta)",
];

const eventsOfKind = {
  any: standardEvents([...proposals, ...queuedCalls]),
  oz: standardEvents(proposals),
  bravo: standardEvents(proposals),
  timelock: standardEvents(queuedCalls),
};

/** Counts proposals of a governor and operations queued in a timelock. */
export const governanceProposal = defineMeter({
  type: "governance_proposal",
  title: "Governance proposals",
  about:
    "Counts new proposals of a governor and operations queued in a timelock, from their events. A batch of calls counts once.",
  unit: "proposals",
  isOccurrence: true,
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: z.strictObject({
    governor_kind: z
      .enum(["any", "oz", "bravo", "timelock"])
      .default("any")
      .describe("The type of the governance contract"),
  }),
  needs: ["logs"],
  events: ({ governor_kind }, { address }) => [{ address, topics: eventsOfKind[governor_kind].topics() }],
  declaredEvents: ({ governor_kind }) => eventsOfKind[governor_kind].all(),
  aggregation: "count",

  measure({ governor_kind }, { events }, { address }) {
    const logs = selectEvents(events, address, eventsOfKind[governor_kind]);
    return [...Map.groupBy(logs, proposalOf)].flatMap(([subject, [first, ...others]]) =>
      first ? [{ ...eventReading(first, 1, { calls: others.length + 1 }), subject }] : [],
    );
  },

  describe(_config, occasion) {
    const { reading, value, aggregation, words } = occasion;
    const decoded = decodedOf(reading);
    if (!decoded || value > 1 || aggregation === "rate")
      return `${numberText(value)} proposals ${spanText(occasion)}`;
    return proposalText(decoded, words);
  },
});

/** Returns the key of a proposal. The logs of a batch, one for each call, share it. */
function proposalOf({ decoded, tx_hash, position }: Emitted): string {
  const id = decoded?.args.$0;
  if (decoded?.name === "CallScheduled") return String(id);
  // Compound timelocks have no batches, so all calls queued by one transaction are one proposal.
  if (decoded?.name === "QueueTransaction") return tx_hash;
  return id === undefined ? `${tx_hash} ${position}` : String(id);
}

function proposalText(decoded: Decoded, words: Words): string {
  const { proposer, target, delay, description } = decoded.args;
  if (decoded.name === "ProposalCreated") {
    const [title = ""] = String(description ?? "").split("\n");
    return `new proposal by ${words.address(proposer)}${title && `: ${title.slice(0, 120)}`}`;
  }
  if (decoded.name === "CallScheduled")
    return `call of ${words.address(target)} scheduled, to run after ${durationText(Number(delay))}`;
  return decodedText(decoded, words);
}
