import type { Log } from "../../block.ts";
import { isWatchedEvent, type WatchedEvents } from "../../reading-plan.ts";
import { EndpointFailure, RpcError, UnexplainedError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";
import { narrowedSpan } from "../blocks/log-range.ts";
import { readTopics } from "../blocks/read-logs.ts";
import { checksumAddress } from "../values/checksum-address.ts";
import { readBytes, readList, readNumber, readObject, readWord } from "../values/raw.ts";
import { type EventRequest, eventRequests } from "./event-requests.ts";

/** A watched log as an endpoint returned it, not verified yet. */
export type FoundLog = Omit<Log, "position"> & {
  height: number;
  block_hash: string;
  /** The time of the block, where the endpoint adds it to logs. */
  time: number | undefined;
};

/** The watched logs of a range, and the number of requests that it took. */
export type FoundEvents = { logs: FoundLog[]; requests: number };

/** The endpoint does not return logs of named addresses, so that whole blocks must be read. */
export class EventsRefused extends EndpointFailure {
  constructor() {
    super("unsupported", "does not return the logs of named addresses");
  }
}

export const filteredLogs = "eth_getLogs of named addresses";

/** Fetches the watched logs of a range, in as many requests as the endpoint needs, which is remembered. */
export async function fetchEvents(
  session: Session,
  events: WatchedEvents,
  from: number,
  to: number,
): Promise<FoundEvents> {
  if (session.lacks(filteredLogs)) throw new EventsRefused();
  const fetched: FoundEvents = { logs: [], requests: 0 };
  for (let next = from; next <= to; ) {
    const last = Math.min(to, next + eventSpan(session) - 1);
    const requests = eventRequests(events, addressLimit(session));
    const logs = await fetchPart(session, requests, next, last);
    fetched.requests += requests.length;
    if (!logs) continue;
    fetched.logs.push(...logs.filter(({ address, topics }) => isWatchedEvent(events, address, topics[0])));
    next = last + 1;
  }
  return fetched;
}

const defaultSpan = 2_000;
const defaultAddresses = 1_000;

/** The number of blocks that the endpoint allows in one request. */
export function eventSpan({ memory }: Session): number {
  return Math.max(1, Math.floor(memory.get("events.span") ?? defaultSpan));
}

function addressLimit({ memory }: Session): number {
  return memory.get("events.addresses") ?? defaultAddresses;
}

/** Returns undefined when the endpoint rejected the size of a request, so that smaller ones must be made. */
async function fetchPart(
  session: Session,
  requests: readonly EventRequest[],
  from: number,
  to: number,
): Promise<FoundLog[] | undefined> {
  const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
  const logs: FoundLog[] = [];
  for (const request of requests) {
    try {
      const reply = await session.request("eth_getLogs", [{ ...request, ...range }]);
      logs.push(...readList(reply, "list of logs").map((value) => readFoundLog(value, from, to)));
    } catch (error) {
      learnLimits(session, request, to - from + 1, error);
      return undefined;
    }
  }
  widen(session, to - from + 1);
  return logs;
}

const tooManyAddresses =
  /(too many|max|limit|exceed)[^.]*address|address(es)?[^.]*(too many|max|limit|exceed)/i;

const beyondHead =
  /beyond (the )?(current |latest )?(head|block)|(after|greater than|exceeds?) (the )?(last|latest|head|current)/i;

/** Remembers what the endpoint allows. Throws when smaller requests would not help. */
function learnLimits(session: Session, request: EventRequest, span: number, error: unknown): void {
  const text =
    error instanceof RpcError ? error.message : error instanceof UnexplainedError ? error.text : "";
  if (beyondHead.test(text)) throw new EndpointFailure("missing", "lacks the block");
  if (tooManyAddresses.test(text) && request.address.length > 1) {
    session.memory.set("events.addresses", Math.max(1, Math.floor(request.address.length / 4)));
    return;
  }
  const smaller = narrowedSpan(error, span);
  if (smaller > 0) {
    session.memory.set("events.span", smaller);
    session.memory.set("events.calm", 0);
    return;
  }
  const isRefused =
    error instanceof RpcError || (error instanceof EndpointFailure && error.kind === "unsupported");
  if (!isRefused) throw error;
  session.markUnsupported(filteredLogs);
  throw new EventsRefused();
}

/** The number of successful requests of full width after which a wider one is tried. */
const repliesBeforeWidening = 200;

function widen({ memory }: Session, span: number): void {
  const allowed = memory.get("events.span");
  if (allowed === undefined || span < Math.floor(allowed)) return;
  const calm = (memory.get("events.calm") ?? 0) + 1;
  memory.set("events.calm", calm);
  if (calm > repliesBeforeWidening) memory.set("events.span", Math.min(defaultSpan, allowed * 1.5));
}

export function readFoundLog(value: unknown, from: number, to: number): FoundLog {
  const raw = readObject(value, "log");
  const height = readNumber(raw.blockNumber, "log");
  if (height < from || height > to)
    throw new EndpointFailure("inconsistent", "returned logs of other blocks");
  if (raw.removed === true)
    throw new EndpointFailure("inconsistent", "returned logs that are marked as removed");
  return {
    height,
    block_hash: readWord(raw.blockHash, "log"),
    time: typeof raw.blockTimestamp === "string" ? readNumber(raw.blockTimestamp, "log") : undefined,
    address: checksumAddress(raw.address, "log"),
    topics: readTopics(raw.topics),
    data: readBytes(raw.data, "log"),
    tx_hash: readWord(raw.transactionHash, "log"),
    tx_index: readNumber(raw.transactionIndex, "log"),
    log_index: readNumber(raw.logIndex, "log"),
  };
}
