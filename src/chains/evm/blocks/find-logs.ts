import type { Hex } from "../../block.ts";
import type { FoundLog, LogFilter, LogSearchResult } from "../../chain-client.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { checksumAddress } from "../values/checksum-address.ts";
import { readBytes, readList, readNumber, readObject, readWord } from "../values/raw.ts";
import { narrowedSpan } from "./log-range.ts";

export type FindLogs = (filter: LogFilter) => Promise<LogSearchResult>;

/** The span of the first request; most nodes allow fewer blocks and report their limit. */
const firstSpan = 50_000;
const maxLogs = 5_000;

/**
 * Searches a range of blocks for logs, newest first, in spans as wide as the node allows. Stops at the limit of requests or
 * logs, and returns how far it came.
 */
export async function findLogs(
  rpc: Rpc,
  filter: LogFilter,
  prefer: number | undefined,
): Promise<LogSearchResult> {
  const logs: FoundLog[] = [];
  let nextTo = filter.to;
  let span = firstSpan;
  let requests = filter.maxRequests ?? 20;
  const search = async (session: Session) => {
    while (nextTo >= filter.from && requests-- > 0 && logs.length < maxLogs) {
      const from = Math.max(filter.from, nextTo - span + 1);
      const page = await fetchSpan(session, filter, from, nextTo).catch((error: unknown) => {
        const smaller = narrowedSpan(error, nextTo - from + 1);
        if (smaller === 0) throw error instanceof EndpointFailure ? error : logsUnavailable();
        return smaller;
      });
      if (typeof page === "number") span = page;
      else {
        logs.push(...page.reverse());
        nextTo = from - 1;
      }
    }
  };
  await rpc.use(search, { prefer });
  return { logs, searched_from: nextTo + 1, is_complete: nextTo < filter.from };
}

async function fetchSpan(session: Session, filter: LogFilter, from: number, to: number): Promise<FoundLog[]> {
  const { addresses, topics } = filter;
  const params = [
    { ...(addresses && { address: addresses }), topics, fromBlock: hex(from), toBlock: hex(to) },
  ];
  const logs = readList(await session.request("eth_getLogs", params), "list of logs");
  return logs.map((raw) => readFoundLog(raw, from, to)).toSorted(byPosition);
}

function readFoundLog(value: unknown, from: number, to: number): FoundLog {
  const raw = readObject(value, "log");
  const height = readNumber(raw.blockNumber, "log");
  if (height < from || height > to)
    throw new EndpointFailure("inconsistent", "returned logs of other blocks");
  return {
    address: checksumAddress(raw.address, "log"),
    topics: readList(raw.topics, "log").map((topic) => readWord(topic, "topic")),
    data: readBytes(raw.data, "log"),
    tx_hash: readWord(raw.transactionHash, "log"),
    log_index: readNumber(raw.logIndex, "log"),
    height,
  };
}

function byPosition(a: FoundLog, b: FoundLog): number {
  return a.height - b.height || a.log_index - b.log_index;
}

function hex(height: number): Hex {
  return `0x${height.toString(16)}`;
}

function logsUnavailable(): EndpointFailure {
  return new EndpointFailure("error", "does not return logs");
}
