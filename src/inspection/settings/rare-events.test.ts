import { expect, test } from "vitest";
import { clientWith, pinnedWith } from "../../../test/support/answering-chain.ts";
import type { FoundLog } from "../../chains/chain-client.ts";
import { compileAbi, emptyAbi } from "../../chains/evm/abi/abi.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { findRareEvents } from "./rare-events.ts";

const address = "0x0000000000000000000000000000000000000001";
const pinned = pinnedWith({});
const [deposited, added] = [keccakOfText("Deposited(uint256)"), keccakOfText("RouteAdded(address)")];

function logsOf(topic: typeof added, ...hoursAgo: number[]): FoundLog[] {
  return hoursAgo.map((hours) => ({
    ...{ address, data: "0x", tx_hash: `0x${"1".repeat(64)}`, log_index: 0, topics: [topic] },
    height: pinned.block.height - Math.round(hours * 300),
  }));
}

const inUse = logsOf(deposited, ...Array.from({ length: 12 }, (_, index) => index * 0.9));
const isKnown = () => false;

test("what a contract in use did not emit is rare, by its name or its topic", async () => {
  const compiled = compileAbi(["event Deposited(uint256)", "event RouteAdded(address indexed route)"]);
  if (!compiled.ok) throw new Error(compiled.problem);
  const named = { address, abi: compiled.abi, topics: [], isKnown };
  expect(await findRareEvents(clientWith(inUse), pinned, named)).toEqual({
    events: ["RouteAdded(address indexed route)"],
    topics: [],
  });
  const hidden = { address, abi: emptyAbi, topics: [deposited, added], isKnown };
  expect((await findRareEvents(clientWith(inUse), pinned, hidden))?.topics).toEqual([added]);
});

test("what came once is ordinary, unless it set the contract up", async () => {
  const given = { address, abi: emptyAbi, topics: [added], isKnown };
  const setUp = [...inUse, ...logsOf(added, 12)];
  expect((await findRareEvents(clientWith(setUp), pinned, given))?.topics).toEqual([added]);
  const later = [...inUse, ...logsOf(added, 5)];
  expect((await findRareEvents(clientWith(later), pinned, given))?.topics ?? []).toEqual([]);
});

test("a past without activity shows nothing", async () => {
  const given = { address, abi: emptyAbi, topics: [added], isKnown };
  expect(await findRareEvents(clientWith(logsOf(deposited, 1, 2)), pinned, given)).toBeNull();
});

test("where several events came only once, others come soon for the first time, and none is rare", async () => {
  const rarely = ["First()", "Second()"].map(keccakOfText);
  const given = { address, abi: emptyAbi, topics: [added, ...rarely], isKnown };
  const past = [...inUse, ...rarely.flatMap((topic) => logsOf(topic, 4))];
  expect(await findRareEvents(clientWith(past), pinned, given)).toBeNull();
  // The first hour sets a contract up.
  const setUp = [...inUse, ...rarely.flatMap((topic) => logsOf(topic, 12))];
  expect((await findRareEvents(clientWith(setUp), pinned, given))?.topics).toEqual([added, ...rarely]);
});

test("a node that provides less than a day shows nothing", async () => {
  const given = { address, abi: emptyAbi, topics: [added], isKnown };
  const client = clientWith(inUse);
  const searchedHours = async (hours: number) => {
    const searched_from = pinned.block.height - hours * 300;
    const logs: typeof client.logs = async (filter) => {
      const { logs: found } = await client.logs(filter);
      return {
        logs: found.filter(({ height }) => height >= searched_from),
        searched_from,
        is_complete: false,
      };
    };
    return findRareEvents({ ...client, logs }, pinned, given);
  };
  expect(await searchedHours(20)).toBeNull();
  expect((await searchedHours(30))?.topics).toEqual([added]);
});
