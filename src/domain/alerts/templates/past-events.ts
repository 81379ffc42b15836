import type { Block } from "../../../chains/block.ts";
import { readBlockTimes } from "../../../chains/block-times.ts";
import type { ChainClient, FoundLog, LogFilter, LogSearchResult } from "../../../chains/chain-client.ts";
import type { EventFilter } from "../../../chains/reading-plan.ts";

/** Events of the recent past, oldest first, and the part of the past in which all of them are known. */
export type PastEvents = { events: Block[]; from: number; to: number; blocks: number };

/** A week has the weekend and hundreds of the usual windows. */
const searchedSeconds = 7 * 86_400;
/** The first search is for all events of the contract, which a busy one has too many of. */
const [maxRequestsForAll, maxRequests] = [4, 8];
/** The first events of a contract set it up. */
const setupSeconds = 3_600;

/**
 * Searches the past of a contract for events, for each list of filters separately: a busy event then does not shorten the past of
 * the others. Undefined if the contract emitted nothing, so that it is not known how long it exists.
 */
export async function findPastEvents(
  client: ChainClient,
  address: string,
  lists: readonly (readonly EventFilter[])[],
): Promise<PastEvents[] | undefined> {
  const { block: newest } = await client.pinLatestBlock();
  const blocks = Math.ceil((searchedSeconds * 1000) / client.chain.block_time_ms);
  const range = { from: Math.max(0, newest.height - blocks), to: newest.height };
  const unfiltered = await client.logs({
    addresses: [address],
    topics: [],
    ...range,
    maxRequests: maxRequestsForAll,
  });
  const searches = new Map<string, Promise<LogSearchResult>>();
  const search = (filter: Pick<LogFilter, "addresses" | "topics">) => {
    const key = JSON.stringify(filter);
    const search = searches.get(key) ?? client.logs({ ...filter, ...range, maxRequests });
    searches.set(key, search);
    return search;
  };
  const eventsByTarget = await Promise.all(
    lists.map((filters) => {
      const isAmongAll = unfiltered.is_complete && filters.every((filter) => filter.address === address);
      return isAmongAll ? select(unfiltered, filters) : search(toLogFilter(filters));
    }),
  );
  const results = [unfiltered, ...eventsByTarget];
  const heights = results.flatMap(({ logs }) => logs.map(({ height }) => height));
  if (heights.length === 0) return undefined;
  const oldest = minOf(heights);
  const searchedFrom = results.map(({ searched_from }) => searched_from);
  const timeOf = await readBlockTimes(client, newest, [...heights, ...searchedFrom]);
  const began = timeOf(oldest) + setupSeconds;
  return eventsByTarget.map(({ logs, searched_from }) => ({
    events: toBlocks(logs, timeOf),
    from: Math.max(timeOf(searched_from), began),
    to: newest.time,
    blocks: newest.height - Math.max(searched_from, oldest) + 1,
  }));
}

function select({ logs, ...result }: LogSearchResult, filters: readonly EventFilter[]): LogSearchResult {
  const topics = new Set<string | undefined>(filters.flatMap((filter) => filter.topics ?? []));
  const isAny = filters.some((filter) => !filter.topics);
  return { ...result, logs: logs.filter((log) => isAny || topics.has(log.topics[0])) };
}

function toLogFilter(filters: readonly EventFilter[]): Pick<LogFilter, "addresses" | "topics"> {
  const addresses = [...new Set(filters.map(({ address }) => address))].sort();
  const topics = [...new Set(filters.flatMap((filter) => filter.topics ?? []))].sort();
  return { addresses, topics: filters.some((filter) => !filter.topics) ? [] : [topics] };
}

/** A list may be too long for the arguments of Math.min. */
function minOf(numbers: readonly number[]): number {
  return numbers.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

/** Only logs are known of the blocks, which is all that the meters read that are estimated by them. */
function toBlocks(logs: readonly FoundLog[], timeOf: (height: number) => number): Block[] {
  const sorted = logs.toSorted((a, b) => a.height - b.height || a.log_index - b.log_index);
  return [...Map.groupBy(sorted, ({ height }) => height)].map(([height, logs]) => ({
    height,
    hash: "",
    parent_hash: "",
    time: timeOf(height),
    transactions: [],
    logs: logs.map(({ height: _, ...log }, position) => ({ ...log, tx_index: 0, position })),
  }));
}
