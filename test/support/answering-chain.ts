import type { Hex, Read, ReadResult } from "../../src/chains/block.ts";
import type { Chain } from "../../src/chains/chain.ts";
import type { ChainClient, FoundLog, PinnedBlock } from "../../src/chains/chain-client.ts";
import { canonicalFunction } from "../../src/chains/evm/abi/signature.ts";
import { pad, toHex } from "../../src/chains/evm/values/hex.ts";
import { chainOf } from "../../src/chains/index.ts";

/** What contracts return, by `address function()`: one word or several, or the whole reply. */
export type Answers = Record<string, bigint | readonly bigint[] | Hex>;

const head = {
  height: 10_000,
  hash: `0x${"1".repeat(64)}`,
  parent_hash: `0x${"2".repeat(64)}`,
  time: 1_790_000_000,
};

/** The newest block of a chain whose contracts have these functions; every other call is reverted. */
export function pinnedWith(answers: Answers): PinnedBlock {
  const replies = new Map(
    Object.entries(answers).map(([key, value]) => {
      const [address = "", signature = ""] = key.split(" ");
      return [`${address} ${selectorOf(signature)}`, dataOf(value)];
    }),
  );
  const reply = (read: Read): ReadResult => {
    const data = read.kind === "call" ? replies.get(`${read.to} ${read.data.slice(0, 10)}`) : undefined;
    return data ? { ok: true, data } : { ok: false, code: "reverted", problem: "There is no such function." };
  };
  return { block: head, read: async (reads) => reads.map(reply) };
}

/** A client that finds these logs and knows the time of each block. */
export function clientWith(
  logs: readonly FoundLog[],
  timeAt = (height: number) => head.time - 12 * (head.height - height),
) {
  const client: Partial<ChainClient> = {
    chain: chainOf("ethereum") as Chain,
    logs: async ({ topics, addresses }) => ({
      logs: logs.filter(
        (log) =>
          (!addresses || addresses.includes(log.address)) &&
          topics.every((wanted, at) => wanted === null || [wanted].flat().includes(log.topics[at] as Hex)),
      ),
      searched_from: 0,
      is_complete: true,
    }),
    blockTimes: async (heights) => heights.map(timeAt),
  };
  return client as ChainClient;
}

export function wordOf(value: bigint | string): Hex {
  return pad(typeof value === "string" ? (value as Hex) : toHex(value), { size: 32 });
}

function dataOf(value: Answers[string]): Hex {
  if (typeof value === "string") return value;
  return `0x${[value]
    .flat()
    .map((one) => wordOf(one).slice(2))
    .join("")}`;
}

export function selectorOf(signature: string): Hex {
  const read = canonicalFunction(signature);
  if (!read.ok) throw new Error(`${signature} is not a function.`);
  return read.selector;
}
