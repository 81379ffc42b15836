import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import { ChainError } from "../../chains/reader.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import type { Profile } from "./profile.ts";
import { secondsPerBlock } from "./recent-flows.ts";

const searchedBlocks = 50_000;
const searchMs = 3_000;
const maxEvents = 50;
const setupSeconds = 3_600;
/** What happened in less time says little about a day. */
const minDays = 1;

/** Counts the events that a contract emitted recently, by which noise is estimated before anything is measured; null if unknown. */
export async function countRecentEvents(
  client: ChainClient,
  pinned: PinnedBlock,
  address: string,
): Promise<Profile["recent"]> {
  const { height } = pinned.block;
  const range = { from: Math.max(0, height - searchedBlocks), to: height, maxRequests: 1 };
  try {
    const timeout = () => new ChainError("The search for logs took too long.");
    const search = client.logs({ addresses: [address], topics: [], ...range });
    const { logs, searched_from } = await withDeadline(searchMs, search, timeout);
    const oldest = Math.min(...logs.map((log) => log.height));
    if (!Number.isFinite(oldest)) return null;
    const perBlock = await secondsPerBlock(client, pinned, oldest);
    // The first events of a contract set it up.
    const from = Math.max(searched_from, oldest + Math.ceil(setupSeconds / perBlock));
    const days = ((height - from) * perBlock) / 86_400;
    if (days < minDays) return null;
    const later = logs.filter((log) => log.height >= from);
    const counts = [...Map.groupBy(later, ({ topics }) => topics[0] ?? "")]
      .map(([topic, own]) => [topic, own.length] as const)
      .toSorted(([, a], [, b]) => b - a);
    return { days, events: Object.fromEntries(counts.slice(0, maxEvents)) };
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}
