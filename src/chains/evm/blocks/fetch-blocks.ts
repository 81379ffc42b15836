import { resultOf, type Session } from "../../rpc/session.ts";
import { fetchByHash } from "./fetch-by-hash.ts";
import { blockOf, type FetchContext, FetchFailures, toleranceOf } from "./fetch-context.ts";
import { type Header, readHeader } from "./header.ts";
import { fetchLogRange } from "./log-range.ts";
import { readLogs } from "./read-logs.ts";

/**
 * Fetches blocks from one endpoint and passes on those that are complete. Rejects with the first failure when one is not;
 * the caller fetches the rest from another endpoint.
 */
export async function fetchBlocks(context: FetchContext, heights: readonly number[]): Promise<void> {
  const failures = new FetchFailures();
  const [headers, logsByHeight] = await Promise.all([
    fetchHeaders(context, heights, failures),
    context.receipts ? new Map<number, unknown[]>() : fetchRanges(context.session, heights),
  ]);
  const incomplete = headers.filter(
    (header) => !completeFromRange(context, header, logsByHeight.get(header.height)),
  );
  await fetchByHash(context, incomplete, failures);
  failures.throwFirst();
}

async function fetchHeaders(
  context: FetchContext,
  heights: readonly number[],
  failures: FetchFailures,
): Promise<Header[]> {
  const method = "eth_getBlockByNumber";
  const knownHeaders = new Map(heights.flatMap((height) => knownHeader(context, height) ?? []));
  const missing = heights.filter((height) => !knownHeaders.has(height));
  const replies = await context.session.batch(
    missing.map((height) => ({ method, params: [`0x${height.toString(16)}`, true] })),
  );
  const fetched = missing.flatMap((height, index): [number, Header][] => {
    const read = () =>
      readHeader(resultOf(replies[index], method, { mustExist: true }), height, toleranceOf(context));
    const header = failures.capture(read);
    return header ? [[height, header]] : [];
  });
  const all = new Map([...knownHeaders, ...fetched]);
  return heights.flatMap((height) => all.get(height) ?? []);
}

/** The header of a block that was fetched as the head, unless it has to be fetched again. */
function knownHeader(context: FetchContext, height: number): [[number, Header]] | undefined {
  const value = context.known?.get(height);
  const transactions = (value as { transactions?: unknown } | undefined)?.transactions;
  const isWhole =
    Array.isArray(transactions) && transactions.every((transaction) => typeof transaction === "object");
  const header = isWhole
    ? new FetchFailures().capture(() => readHeader(value, height, toleranceOf(context)))
    : undefined;
  return header && [[height, header]];
}

async function fetchRanges(session: Session, heights: readonly number[]): Promise<Map<number, unknown[]>> {
  const [from, to] = [heights[0], heights.at(-1)];
  // For scattered heights, most of a range would be fetched in vain.
  if (from === undefined || to === undefined || to - from + 1 > 2 * heights.length) return new Map();
  return fetchLogRange(session, from, to);
}

/** Completes a block with logs from a range; returns false when they cannot be verified, so that they are fetched by hash. */
function completeFromRange(context: FetchContext, header: Header, logs: unknown[] | undefined): boolean {
  const { session, verifier, onBlock } = context;
  if (!logs || !verifier.canVerifyLogs(header)) return false;
  const block = new FetchFailures().capture(() => {
    const complete = blockOf(header, readLogs(logs, header, toleranceOf(context)));
    verifier.accept(header, complete, session.endpoint);
    return complete;
  });
  if (block) onBlock(block);
  return block !== undefined;
}
