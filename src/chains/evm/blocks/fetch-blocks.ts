import { resultOf, type Session } from "../../rpc/session.ts";
import { fetchByHash } from "./fetch-by-hash.ts";
import { blockOf, type FetchContext, FetchFailures } from "./fetch-context.ts";
import { type Header, readHeader } from "./header.ts";
import { fetchLogRange } from "./log-range.ts";
import { readLogs } from "./read-logs.ts";

/**
 * Fetches blocks from one endpoint and keeps those that are whole. Rejects with the first failure when any is not, so
 * that the rest is asked of another.
 */
export async function fetchBlocks(context: FetchContext, heights: readonly number[]): Promise<void> {
  const failures = new FetchFailures();
  const [headers, logsByHeight] = await Promise.all([
    fetchHeaders(context.session, heights, failures),
    context.receipts ? new Map<number, unknown[]>() : fetchRanges(context.session, heights),
  ]);
  const incomplete = headers.filter(
    (header) => !completeFromRange(context, header, logsByHeight.get(header.height)),
  );
  await fetchByHash(context, incomplete, failures);
  failures.throwFirst();
}

async function fetchHeaders(
  session: Session,
  heights: readonly number[],
  failures: FetchFailures,
): Promise<Header[]> {
  const method = "eth_getBlockByNumber";
  const replies = await session.batch(
    heights.map((height) => ({ method, params: [`0x${height.toString(16)}`, true] })),
  );
  return heights.flatMap((height, at) => {
    const read = () => readHeader(resultOf(replies[at], method, { mustExist: true }), height);
    return failures.capture(read) ?? [];
  });
}

async function fetchRanges(session: Session, heights: readonly number[]): Promise<Map<number, unknown[]>> {
  const [from, to] = [heights[0], heights.at(-1)];
  // With holes between them, most of a range would be fetched in vain.
  if (from === undefined || to === undefined || to - from + 1 > 2 * heights.length) return new Map();
  return fetchLogRange(session, from, to);
}

/** Whether the logs of the range make the block whole. Any doubt is left to be settled by the block's hash. */
function completeFromRange(
  { session, verifier, onBlock: keep }: FetchContext,
  header: Header,
  logs: unknown[] | undefined,
): boolean {
  if (!logs || !verifier.canVerifyLogs(header)) return false;
  const block = new FetchFailures().capture(() => {
    const whole = blockOf(header, readLogs(logs, header, verifier));
    verifier.accept(header, whole, session.endpoint);
    return whole;
  });
  if (block) keep(block);
  return block !== undefined;
}
