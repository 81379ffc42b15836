import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";
import { isAddressRequired, unfilteredLogs } from "./logs-without-address.ts";
import { isRangeProblem, narrowRange } from "./range-problem.ts";

/** Fetches the logs of a range by height, as far as the endpoint returns them. They are not verified yet. */
export async function fetchLogRange(
  session: Session,
  from: number,
  to: number,
): Promise<Map<number, unknown[]>> {
  const logsByHeight = new Map<number, unknown[]>();
  const window = makeLogWindow(session.memory);
  let nextFrom = from;
  if (session.lacks(unfilteredLogs)) return logsByHeight;
  while (nextFrom <= to && window.isWorthwhile()) {
    const last = Math.min(to, nextFrom + window.size() - 1);
    const logs = await fetchLogs(session, nextFrom, last).catch((error: unknown) => {
      if (isAddressRequired(error)) session.markUnsupported(unfilteredLogs);
      return narrowedSpan(error, last - nextFrom + 1);
    });
    if (typeof logs === "number") {
      if (logs === 0) break;
      window.narrowedSpan(logs);
      continue;
    }
    window.widen(last - nextFrom + 1, logs.length);
    for (let height = nextFrom; height <= last; height++) logsByHeight.set(height, []);
    // A log with a wrong height is missing at its own height, which the bloom filter of that header shows.
    for (const log of logs) logsByHeight.get(heightOf(log))?.push(log);
    nextFrom = last + 1;
  }
  return logsByHeight;
}

async function fetchLogs(session: Session, from: number, to: number): Promise<unknown[]> {
  const filter = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
  const logs = await session.request("eth_getLogs", [filter]);
  if (!Array.isArray(logs)) throw new EndpointFailure("malformed", "returned logs that are not a list");
  return logs;
}

/** Returns the span to try after a failure; zero when this endpoint cannot return the range. */
export function narrowedSpan(error: unknown, span: number): number {
  const isTooLarge = error instanceof EndpointFailure && error.kind === "too_large";
  if (span > 1 && isTooLarge) return Math.floor(span / 2);
  if (span > 1 && error instanceof RpcError) {
    const text = `${error.message} ${JSON.stringify(error.data ?? "")}`;
    return isRangeProblem(text) ? narrowRange(text, span) : 0;
  }
  if (error instanceof RpcError || error instanceof EndpointFailure) return 0;
  throw error;
}

function heightOf(log: unknown): number {
  return typeof log === "object" && log !== null && "blockNumber" in log
    ? Number(log.blockNumber)
    : Number.NaN;
}

const firstWindow = 20;
const maxWindow = 500;
/** This many logs are several megabytes. */
const maxLogsPerReply = 5000;
/** The number of successful replies after a rejection before the window widens again. */
const repliesBeforeWidening = 32;

/** The number of blocks per log request to one endpoint. Rejections narrow it, successful replies widen it. */
function makeLogWindow(memory: Map<string, number>) {
  const read = (name: string, fallback: number) => memory.get(`logs.${name}`) ?? fallback;
  const write = (name: string, value: number) => memory.set(`logs.${name}`, value);
  return {
    size: () => Math.max(1, Math.floor(read("window", firstWindow))),
    /** A window of one block is not worth it, because fetching by hash is safer; a wider one is tried now and then. */
    isWorthwhile(): boolean {
      const window = read("window", firstWindow);
      if (window < 2) write("window", window * 1.03);
      return window >= 2;
    },
    narrowedSpan(size: number): void {
      write("window", size);
      write("calm", 0);
    },
    widen(span: number, logs: number): void {
      const calm = read("calm", repliesBeforeWidening) + 1;
      write("calm", calm);
      const window = read("window", firstWindow);
      if (logs > maxLogsPerReply) write("window", Math.max(1, span / 2));
      else if (calm > repliesBeforeWidening && span >= Math.floor(window))
        write("window", Math.min(maxWindow, window * 1.5));
    },
  };
}
