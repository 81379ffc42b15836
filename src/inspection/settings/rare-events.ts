import type { Hex } from "../../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import type { AbiIndex } from "../../chains/evm/abi/abi.ts";
import { ChainError } from "../../chains/reader.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import { timesOf } from "../profile/recent-flows.ts";
import { declarationText } from "./declaration-text.ts";
import { namesUse } from "./setting-words.ts";

/** Events that a contract can emit and did not emit in its past. Those without a published declaration are topics. */
type RareEvents = { events: string[]; topics: string[] };

const [maxEvents, maxTopics] = [60, 120];
const searchedBlocks = 50_000;
const searchMs = 3_000;
/** With fewer events, or fewer hours that have some, the past does not show what is rare. */
const [minLogs, minHours] = [10, 4];
/** As many events show activity, even if they are of one hour. */
const manyLogs = 500;

type Given = { address: string; abi: AbiIndex; topics: readonly Hex[]; isKnown(topic: Hex): boolean };

/**
 * Finds events that a contract in use does not emit in ordinary operation, whatever their names. Null if its past has too little to
 * show what is ordinary.
 */
export async function findRareEvents(
  client: ChainClient,
  pinned: PinnedBlock,
  { address, abi, topics, isKnown }: Given,
): Promise<RareEvents | null> {
  const isUse = (topic: Hex) => namesUse(abi.events.get(topic)?.[0]?.item.name ?? "");
  const candidates = [...new Set([...(abi.events.keys() as Iterable<Hex>), ...topics])].filter(
    (topic) => !isKnown(topic) && !isUse(topic),
  );
  if (candidates.length === 0) return null;
  const { height } = pinned.block;
  const hoursOf = async (wanted: Hex[]) => {
    const range = { from: Math.max(0, height - searchedBlocks), to: height, maxRequests: 1 };
    const filter = { addresses: [address], topics: wanted.length > 0 ? [wanted] : [], ...range };
    const timeout = () => new ChainError("The search for logs took too long.");
    const { logs } = await withDeadline(searchMs, client.logs(filter), timeout);
    const timeOf = await timesOf(client, pinned, logs);
    return logs.map((log) => ({ topic: log.topics[0], hour: Math.floor(timeOf(log) / 3600) }));
  };
  try {
    const recent = await hoursOf([]);
    if (!showsActivity(recent)) return null;
    const unseen = candidates.filter((topic) => !recurs(recent, topic)).slice(0, maxEvents + maxTopics);
    if (unseen.length === 0) return null;
    // What is frequent fills the first search, so that what is not is searched further back.
    const past = await hoursOf(unseen);
    const rare = unseen.filter((topic) => !recurs(past, topic));
    const events = rare.flatMap((topic) => declarationText(abi.events.get(topic)?.[0]) ?? []);
    return {
      events: events.slice(0, maxEvents),
      topics: rare.filter((topic) => !abi.events.has(topic)).slice(0, maxTopics),
    };
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}

type Seen = { topic: string | undefined; hour: number };

function showsActivity(seen: readonly Seen[]): boolean {
  const hours = new Set(seen.map(({ hour }) => hour)).size;
  return seen.length >= manyLogs || (seen.length >= minLogs && hours >= minHours);
}

/** Setting a contract up takes an hour: what came in two is ordinary. */
function recurs(seen: readonly Seen[], topic: Hex): boolean {
  return new Set(seen.filter((one) => one.topic === topic).map(({ hour }) => hour)).size > 1;
}
