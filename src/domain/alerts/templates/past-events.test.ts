import { expect, test } from "vitest";
import type { Chain } from "../../../chains/chain.ts";
import type { ChainClient, FoundLog, LogFilter } from "../../../chains/chain-client.ts";
import { chainOf } from "../../../chains/index.ts";
import { findPastEvents } from "./past-events.ts";

const chain = chainOf("ethereum") as Chain;
const address = "0x0000000000000000000000000000000000000001";
const [busy, rare] = [`0x${"b".repeat(64)}`, `0x${"a".repeat(64)}`] as const;
const [head, headTime] = [1_000_000, 1_790_000_000];
const timeAt = (height: number) => headTime - (head - height) * 12;

function logAt(height: number, topic: `0x${string}`): FoundLog {
  return { address, topics: [topic], data: "0x", tx_hash: `0x${"1".repeat(64)}`, log_index: 0, height };
}

/** A node with one rare event an hour, and a busy one in every block that it returns for the newest blocks only. */
function nodeWith(busyBlocks: number) {
  const searches: LogFilter[] = [];
  let headers = 0;
  const logs: ChainClient["logs"] = async (filter) => {
    searches.push(filter);
    const [topics] = filter.topics;
    const isBusy = !topics || topics.includes(busy);
    const searched_from = isBusy ? head - busyBlocks + 1 : filter.from;
    const found = Array.from({ length: head - searched_from + 1 }, (_, index) => head - index).flatMap(
      (height) => [
        ...(isBusy ? [logAt(height, busy)] : []),
        ...(height % 300 === 0 && (!topics || topics.includes(rare)) ? [logAt(height, rare)] : []),
      ],
    );
    return { logs: found, searched_from, is_complete: !isBusy };
  };
  const client = {
    chain,
    logs,
    pinLatestBlock: async () => ({ block: { height: head, time: headTime } }),
    async blockTimes(heights: readonly number[]) {
      headers += heights.length;
      return heights.map(timeAt);
    },
  };
  return { client: client as unknown as ChainClient, searches, headers: () => headers };
}

const filter = (topic: `0x${string}`) => [{ address, topics: [topic] }];

test("a busy event does not shorten the past of a rare one", async () => {
  const { client, searches, headers } = nodeWith(900);
  const [often, seldom] = (await findPastEvents(client, address, [filter(busy), filter(rare)])) ?? [];
  expect(often).toMatchObject({ blocks: 900, from: timeAt(head - 899) });
  expect(seldom?.blocks).toBeGreaterThan(50_000);
  // The first hour after the oldest event is left out.
  expect(seldom?.from).toBe((seldom?.events[0]?.time ?? 0) + 3_600);
  expect(seldom?.events.every(({ logs }) => logs.every(({ topics }) => topics[0] === rare))).toBe(true);
  expect(searches).toHaveLength(3);
  expect(headers()).toBeLessThanOrEqual(24);
});

test("the times of many blocks follow from those of a few", async () => {
  const { client } = nodeWith(900);
  const [often] = (await findPastEvents(client, address, [filter(busy)])) ?? [];
  expect(often?.events).toHaveLength(900);
  expect(often?.events.every(({ height, time }) => Math.abs(time - timeAt(height)) <= 1)).toBe(true);
});

test("equal lists of events are searched once", async () => {
  const { client, searches } = nodeWith(900);
  await findPastEvents(client, address, [filter(rare), filter(rare), filter(rare)]);
  expect(searches).toHaveLength(2);
});
