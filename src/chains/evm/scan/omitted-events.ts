import type { Log } from "../../block.ts";
import { isWatchedEvent, type WatchedEvents } from "../../reading-plan.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";
import type { BlockVerifier } from "../blocks/block-verifier.ts";
import { isTrivialBloom } from "../blocks/bloom.ts";
import { compareBloom, mayContain } from "../blocks/bloom-of-logs.ts";
import { isAddressRequired, unfilteredLogs } from "../blocks/logs-without-address.ts";
import { readList } from "../values/raw.ts";
import { type FoundLog, readFoundLog } from "./fetch-events.ts";
import type { ScanHeader } from "./scan-header.ts";
import { numberLogs } from "./verify-logs.ts";

/** Above this probability of a wrong suspicion per block, the bloom filter of a header says too little about watched events. */
const maxWrongSuspicions = 0.05;
/** The bits that an address and a topic set in a filter. */
const bitsPerEvent = 6;

/**
 * Returns whether the bloom filter of a block names a watched event of which no log was returned. Filters of busy blocks name
 * nearly everything, so the answer is no where it would often be wrong.
 */
export function mayLackEvents(header: ScanHeader, logs: readonly Log[], events: WatchedEvents): boolean {
  const { logs_bloom } = header;
  if (isTrivialBloom(logs_bloom)) return false;
  const bloom = Buffer.from(logs_bloom.slice(2), "hex");
  if (countEvents(events) * fillOf(bloom) ** bitsPerEvent > maxWrongSuspicions) return false;
  const returned = new Set(logs.flatMap(({ address, topics }) => [address, `${address} ${topics[0]}`]));
  for (const [address, topics] of events) {
    if (!mayContain(bloom, address)) continue;
    if (topics === "all" && !returned.has(address)) return true;
    if (topics === "all") continue;
    for (const topic of topics)
      if (!returned.has(`${address} ${topic}`) && mayContain(bloom, topic)) return true;
  }
  return false;
}

function countEvents(events: WatchedEvents): number {
  return [...events.values()].reduce((total, topics) => total + (topics === "all" ? 1 : topics.size), 0);
}

/** The share of bits that are set. */
function fillOf(bloom: Buffer): number {
  let bits = 0;
  for (const byte of bloom) {
    for (let rest = byte; rest > 0; rest &= rest - 1) bits += 1;
  }
  return bits / 2048;
}

type Suspect = { session: Session; verifier: BlockVerifier; header: ScanHeader; events: WatchedEvents };

/**
 * Reads all logs of a block whose watched events may be incomplete, which the bloom filter verifies. Returns the watched ones;
 * undefined when the endpoint returns no logs of whole blocks, so that only later scans can show what is missing.
 */
export async function readAllLogs({
  session,
  verifier,
  header,
  events,
}: Suspect): Promise<FoundLog[] | undefined> {
  if (session.lacks(unfilteredLogs)) return undefined;
  const params = [{ blockHash: header.hash }];
  const reply = await session.request("eth_getLogs", params).catch((error: unknown) => {
    if (isAddressRequired(error)) session.markUnsupported(unfilteredLogs);
    const isRefused =
      error instanceof RpcError || (error instanceof EndpointFailure && refusals.has(error.kind));
    if (!isRefused) throw error;
  });
  if (reply === undefined) return undefined;
  const all = readList(reply, "list of logs").map((value) =>
    readFoundLog(value, header.height, header.height),
  );
  const isMissing = compareBloom(header.logs_bloom, numberLogs(all)) === "logs_missing";
  if (isMissing && !verifier.tolerance.allows("missing_logs", header, all.length, session.endpoint))
    throw new EndpointFailure("inconsistent", "omitted logs that are in the bloom filter of the header");
  return all.filter(({ address, topics }) => isWatchedEvent(events, address, topics[0]));
}

const refusals = new Set(["unsupported", "error", "refused", "too_large"]);
