import { describe, expect, it } from "vitest";
import { activity, alice, bob, emit, hash, subject, token } from "../../../test/meters/scripted-activity.ts";
import { governanceProposal } from "./governance-proposal.ts";

const created =
  "ProposalCreated(uint256 proposalId, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 voteStart, uint256 voteEnd, string description)";
const scheduled =
  "CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)";
const queued =
  "QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)";

const proposal = emit(created, [42n, alice, [bob], [0n], [""], ["0x"], 1n, 2n, "Raise the cap"]);
const step = (id: number, index: bigint) =>
  emit(scheduled, [hash(id), index, bob, 0n, "0x", hash(0), 86_400n]);
const queue = (id: number, tx: number) =>
  emit(queued, [hash(id), bob, 0n, "", "0x", 5n], { tx_hash: hash(tx) });

function measure(config: unknown, ...events: (typeof proposal)[]) {
  const parsed = governanceProposal.config.parse(config);
  return governanceProposal.measure?.(parsed, activity({ events }), subject, undefined) ?? [];
}

describe("the governance_proposal meter", () => {
  it("counts proposals of a governor, with their description", () => {
    const [reading] = measure({}, proposal);
    expect(reading).toMatchObject({ value: 1, subject: "42" });
    expect(reading?.evidence).toMatchObject({
      decoded: { args: { proposer: alice, description: "Raise the cap" } },
    });
  });

  it("counts a timelock operation once, regardless of its number of calls", () => {
    const readings = measure({}, step(1, 0n), step(1, 1n), step(2, 0n));
    expect(readings.map(({ subject, evidence }) => [subject, evidence?.calls])).toEqual([
      [hash(1), 2],
      [hash(2), 1],
    ]);
    expect(measure({}, queue(1, 5), queue(2, 5), queue(3, 6))).toHaveLength(2);
  });

  it("counts only events of the configured governor kind", () => {
    expect(measure({ governor_kind: "oz" }, proposal, step(1, 0n))).toHaveLength(1);
    expect(measure({ governor_kind: "bravo" }, proposal, step(1, 0n))).toHaveLength(1);
    expect(measure({ governor_kind: "timelock" }, proposal, step(1, 0n))).toHaveLength(1);
    expect(measure({}, { ...proposal, address: token })).toEqual([]);
  });

  it("counts proposals that cannot be decoded", () => {
    expect(measure({}, { ...proposal, data: "0x" }, { ...proposal, data: "0x", position: 1 })).toHaveLength(
      2,
    );
  });
});
