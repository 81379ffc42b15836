import { expect, test } from "vitest";
import { clientWith, pinnedWith, wordOf } from "../../../test/support/answering-chain.ts";
import type { FoundLog } from "../../chains/chain-client.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { findUsualCounterparties } from "./usual-counterparties.ts";

const token = "0x0000000000000000000000000000000000000001";
const recipient = "0x0000000000000000000000000000000000000022";
const transfer = keccakOfText("Transfer(address,address,uint256)");
const pinned = pinnedWith({});
const { height: head, time: now } = pinned.block;

function transferAt(height: number, from: bigint): FoundLog {
  return {
    ...{ address: token, data: wordOf(1n), tx_hash: `0x${"1".repeat(64)}`, log_index: 0, height },
    topics: [transfer, wordOf(from), wordOf(recipient)],
  };
}

test("the busiest ten minutes of a recipient follow the times of blocks, also where these come unevenly", async () => {
  // A transfer in each of the newest blocks, which are four minutes apart; before that, blocks came every second.
  const recent = Array.from({ length: 60 }, (_, index) => transferAt(head - index, BigInt(1 + (index % 3))));
  const first = transferAt(head - 400, 1n);
  const uneven = (height: number) =>
    now - 240 * Math.min(60, head - height) - Math.max(0, head - 60 - height);
  const usual = await findUsualCounterparties(
    clientWith([...recent, first], uneven),
    pinned,
    token,
    undefined,
  );
  expect(usual).toMatchObject({ recipients: [], recipient_peak: 3 });
});

test("a recipient that many holders pay is usual, and its transfers are no peak", async () => {
  const logs = Array.from({ length: 60 }, (_, index) => transferAt(head - index, BigInt(1 + (index % 4))));
  const usual = await findUsualCounterparties(clientWith(logs), pinned, token, undefined);
  expect(usual).toMatchObject({ recipients: [recipient], recipient_peak: 0 });
});
