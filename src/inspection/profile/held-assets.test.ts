import { expect, test } from "vitest";
import { clientWith, pinnedWith, wordOf } from "../../../test/support/answering-chain.ts";
import type { Hex } from "../../chains/block.ts";
import type { FoundLog } from "../../chains/chain-client.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { noProbeResults } from "../classify/probes.ts";
import { findHeldAssets } from "./held-assets.ts";

const holder = "0x00000000000000000000000000000000000000aA";
const [coin, collection] = [
  "0x0000000000000000000000000000000000000001",
  "0x0000000000000000000000000000000000000002",
];
const transfer = keccakOfText("Transfer(address,address,uint256)");
const [own, other] = [wordOf(holder.toLowerCase()), wordOf(9n)];

function move(
  address: string,
  height: number,
  { isOut, amount }: { isOut: boolean; amount: bigint },
): FoundLog {
  const isCollectible = address === collection;
  const topics: Hex[] = [transfer, ...(isOut ? [own, other] : [other, own])];
  return {
    ...{ address, tx_hash: `0x${"1".repeat(64)}`, log_index: 0, height },
    topics: isCollectible ? [...topics, wordOf(amount)] : topics,
    data: isCollectible ? "0x" : wordOf(amount),
  };
}

const input = { address: holder, probes: noProbeResults, market: null };

test("collectibles that a contract holds are found without decimals, and each of their transfers is of one", async () => {
  const pinned = pinnedWith({ [`${collection} balanceOf(address)`]: 20n });
  const logs = Array.from({ length: 24 }, (_, index) =>
    // The number of the collectible is no amount.
    move(collection, pinned.block.height - 1_000 - 100 * index, {
      isOut: index % 6 === 0,
      amount: 10n ** 30n + BigInt(index),
    }),
  );
  const [found, ...others] = await findHeldAssets(clientWith(logs), pinned, input);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ token: collection, decimals: 0, is_collectible: true, outflows: 4 });
  expect(found?.outflow).toBeLessThan(0.2);
});

test("what arrived at once is reported beside what left, except the first deposits of the holdings", async () => {
  const pinned = pinnedWith({ [`${coin} balanceOf(address)`]: 1_200n, [`${coin} decimals()`]: 6n });
  const { height } = pinned.block;
  const logs = [
    ...Array.from({ length: 30 }, (_, index) =>
      move(coin, height - 100 - 10 * index, { isOut: index % 2 === 0, amount: 10n }),
    ),
    move(coin, height - 50, { isOut: false, amount: 200n }),
    move(coin, height - 5_000, { isOut: false, amount: 1_000n }),
  ];
  const [found] = await findHeldAssets(clientWith(logs), pinned, input);
  expect(found).toMatchObject({ token: coin, outflows: 15 });
  expect(found?.inflow).toBeCloseTo(0.2, 1);
  expect(found?.outflow).toBeLessThan(0.05);
  expect(found?.drains).toMatchObject({ count: 0, blocks: 5_000, from: pinned.block.time - 60_000 });
});

test("a token that cannot say how many it has, and is no collectible, is left out", async () => {
  const pinned = pinnedWith({ [`${coin} balanceOf(address)`]: 5n });
  const logs = [move(coin, pinned.block.height - 10, { isOut: false, amount: 5n })];
  expect(await findHeldAssets(clientWith(logs), pinned, input)).toEqual([]);
});
