import type { DemoBlock } from "./block.ts";
import type { DemoChain } from "./chain.ts";
import { type JsonLog, jsonLogs } from "./json.ts";

/** Finds logs by a filter of `eth_getLogs`. */
export function findLogs(chain: DemoChain, filter: unknown, find: (which: unknown) => DemoBlock): JsonLog[] {
  const { fromBlock, toBlock, blockHash, address, topics } = (filter ?? {}) as Record<string, unknown>;
  const blocks = blockHash
    ? [find(blockHash)]
    : chain.between(find(fromBlock).height, Math.min(find(toBlock).height, chain.head.height));
  const isWanted = matcher(address, topics);
  return blocks.flatMap((block) => jsonLogs(block).filter(isWanted));
}

function matcher(address: unknown, topics: unknown): (log: JsonLog) => boolean {
  const addresses = address ? setOf(address) : undefined;
  const places = Array.isArray(topics)
    ? topics.map((topic) => (topic === null ? undefined : setOf(topic)))
    : [];
  return (log) =>
    (addresses?.has(log.address) ?? true) &&
    places.every((wanted, place) => !wanted || wanted.has(log.topics[place] ?? "none"));
}

function setOf(value: unknown): Set<string> {
  return new Set([value].flat().map((item) => String(item).toLowerCase()));
}
