import { expect, test } from "vitest";
import { clientWith, pinnedWith } from "../../../test/support/answering-chain.ts";
import type { FoundLog } from "../../chains/chain-client.ts";
import { compileAbi, emptyAbi } from "../../chains/evm/abi/abi.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { findOwnEvents } from "./own-events.ts";

const address = "0x0000000000000000000000000000000000000001";
const pinned = pinnedWith({});
const [replaced, liquidated] = ["StrategyReplaced(address, address)", "LoanLiquidated(address, uint256)"];

function logsOf(signature: string, ...hoursAgo: number[]): FoundLog[] {
  return hoursAgo.map((hours) => ({
    ...{ address, data: "0x", tx_hash: `0x${"1".repeat(64)}`, log_index: 0 },
    topics: [keccakOfText(signature.replaceAll(" ", ""))],
    height: pinned.block.height - Math.round(hours * 300),
  }));
}

function abiWith(...declarations: string[]) {
  const read = compileAbi(declarations);
  if (!read.ok) throw new Error(read.problem);
  return read.abi;
}

const abi = abiWith(`event ${replaced}`, `event ${liquidated}`, "event Deposited(address,uint256)");

test("events that a contract names like settings and liquidations are found, and others are not", async () => {
  const found = await findOwnEvents(clientWith([]), pinned, { address, abi, topics: [] });
  expect(found).toEqual({ settings: [replaced], liquidations: [{ event: liquidated, peak: 0 }] });
});

test("events of code without a published source are found by their topics", async () => {
  const topics = [
    keccakOfText("StrategyReplaced(address,address)"),
    keccakOfText("Deposited(address,uint256)"),
  ];
  const found = await findOwnEvents(clientWith([]), pinned, { address, abi: emptyAbi, topics });
  expect(found.settings).toEqual(["StrategyReplaced(address,address)"]);
});

test("an event of several hours of a day is ordinary, and one that was emitted while the contract was set up is not", async () => {
  const settingsAfter = async (...hours: number[]) =>
    (await findOwnEvents(clientWith(logsOf(replaced, ...hours)), pinned, { address, abi, topics: [] }))
      .settings;
  expect(await settingsAfter(1, 5, 9, 20)).toEqual([]);
  expect(await settingsAfter(20.1, 20.2, 20.3)).toEqual([replaced]);
});

test("the burst of liquidations follows the times of blocks, also where these come unevenly", async () => {
  const logs = Array.from({ length: 60 }, (_, index) => logsOf(liquidated, index / 300)).flat();
  const { height: head, time: now } = pinned.block;
  const uneven = (height: number) =>
    now - 240 * Math.min(60, head - height) - Math.max(0, head - 60 - height);
  const client = clientWith([...logs, ...logsOf(liquidated, 2)], uneven);
  const { liquidations } = await findOwnEvents(client, pinned, { address, abi, topics: [] });
  expect(liquidations).toEqual([{ event: liquidated, peak: 2 }]);
});
