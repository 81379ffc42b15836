import type { Hex } from "../../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import type { AbiIndex } from "../../chains/evm/abi/abi.ts";
import { ChainError } from "../../chains/reader.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import { timesOf } from "../profile/recent-flows.ts";
import { commonEvents } from "./common-events.ts";
import { declarationText } from "./declaration-text.ts";
import { namesUse } from "./setting-words.ts";

/** Events that a contract can emit and did not emit in its past. Those without a published declaration are topics. */
type RareEvents = { events: string[]; topics: string[] };

const [maxEvents, maxTopics] = [60, 120];
/** A week has what is done once a week. */
const searchedSeconds = 7 * 86_400;
/** What was not searched for a day may be what happens every day. */
const minSearchedSeconds = 86_400;
const maxRequests = 6;
const searchMs = 3_000;
/** With fewer events, or fewer hours that have some, the past does not show what is rare. */
const [minLogs, minHours] = [10, 4];
/** As many events show activity, even if they are of one hour. */
const manyLogs = 500;
/** By the estimate of Good and Turing, as many new events are due in the next week as came once in the last. */
const manyOnce = 2;
/** The first events of a contract set it up, and come again only if something unusual happens. */
const setupHours = 1;

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
  const common = await commonEvents();
  const isUse = (topic: Hex) =>
    common.uses.has(topic) || namesUse(abi.events.get(topic)?.[0]?.item.name ?? "");
  const candidates = [...new Set([...(abi.events.keys() as Iterable<Hex>), ...topics])].filter(
    (topic) => !isKnown(topic) && !isUse(topic),
  );
  if (candidates.length === 0) return null;
  try {
    const rare = await findUnseen(client, pinned, { address, candidates, isKnown });
    if (!rare) return null;
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

/** Returns which of the topics did not come since the contract was set up; null if its past does not show it. */
async function findUnseen(
  client: ChainClient,
  pinned: PinnedBlock,
  { address, candidates, isKnown }: Pick<Given, "address" | "isKnown"> & { candidates: readonly Hex[] },
): Promise<Hex[] | null> {
  const recent = await searchPast(client, pinned, address, []);
  if (!showsActivity(recent.seen)) return null;
  const setUpUntil = setUpEnd(recent, pinned.block.time);
  const afterSetUp = ({ seen }: Past) => seen.filter(({ hour }) => hour >= setUpUntil);
  const isUnseenIn = (past: Past) => {
    const topics = new Set(afterSetUp(past).map(({ topic }) => topic));
    return (topic: Hex) => !topics.has(topic);
  };
  const unseen = candidates.filter(isUnseenIn(recent)).slice(0, maxEvents + maxTopics);
  if (unseen.length === 0) return null;
  // What is frequent fills the first search, so that what is not is searched further back.
  const past = await searchPast(client, pinned, address, unseen);
  if (past.seconds < minSearchedSeconds) return null;
  if (bringsNewEvents([...afterSetUp(recent), ...afterSetUp(past)], isKnown)) return null;
  return unseen.filter(isUnseenIn(past));
}

type Seen = { topic: Hex | undefined; hour: number };
/** `isComplete` is true if a week was searched, or the whole life of the contract. */
type Past = { seen: Seen[]; seconds: number; isComplete: boolean };

/** Searches the last week for events, or as much of it as the node provides. */
async function searchPast(
  client: ChainClient,
  pinned: PinnedBlock,
  address: string,
  wanted: Hex[],
): Promise<Past> {
  const { height, time } = pinned.block;
  const blocks = Math.ceil((searchedSeconds * 1000) / client.chain.block_time_ms);
  const range = { from: Math.max(0, height - blocks), to: height, maxRequests };
  const filter = { addresses: [address], topics: wanted.length > 0 ? [wanted] : [], ...range };
  const timeout = () => new ChainError("The search for logs took too long.");
  const { logs, searched_from, is_complete } = await withDeadline(searchMs, client.logs(filter), timeout);
  const timeOf = await timesOf(client, pinned, [
    ...logs,
    ...(is_complete ? [] : [{ height: searched_from }]),
  ]);
  return {
    seen: logs.map((log) => ({ topic: log.topics[0], hour: Math.floor(timeOf(log) / 3600) })),
    seconds: is_complete ? searchedSeconds : time - timeOf({ height: searched_from }),
    isComplete: is_complete,
  };
}

function showsActivity(seen: readonly Seen[]): boolean {
  const hours = new Set(seen.map(({ hour }) => hour)).size;
  return seen.length >= manyLogs || (seen.length >= minLogs && hours >= minHours);
}

/** Returns the first hour after a young contract was set up; 0 for one that is older than what was searched. */
function setUpEnd({ seen, isComplete }: Past, time: number): number {
  const oldest = seen.reduce((hour, event) => Math.min(hour, event.hour), Number.POSITIVE_INFINITY);
  const isYoung = isComplete && oldest > (time - searchedSeconds) / 3600 + setupHours;
  return isYoung ? oldest + setupHours : 0;
}

/** Where several events came only once, others come soon for the first time: users do many things there, each of them rarely. */
function bringsNewEvents(seen: readonly Seen[], isKnown: Given["isKnown"]): boolean {
  const others = seen.filter(({ topic }) => topic && !isKnown(topic));
  const byTopic = [...Map.groupBy(others, ({ topic }) => topic).values()];
  return byTopic.filter((events) => new Set(events.map(({ hour }) => hour)).size === 1).length >= manyOnce;
}
