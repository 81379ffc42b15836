import type { Block } from "../block.ts";
import type { BlockCheck } from "./block-check.ts";
import { fetchByHash } from "./fetch-by-hash.ts";
import { type Header, readHeader } from "./header.ts";
import { fetchLogRange } from "./log-range.ts";
import { readLogs } from "./read-logs.ts";
import { EndpointFailure, RpcError } from "./rpc/failure.ts";
import { resultOf, type Session } from "./rpc/session.ts";

export type FetchContext = {
  session: Session;
  check: BlockCheck;
  receipts: boolean;
  /** Takes each block that was found whole. */
  keep(block: Block): void;
};

/**
 * Fetches blocks from one endpoint and keeps those that are whole. Rejects with the first failure when any is not, so
 * that the rest is asked of another.
 */
export async function fetchBlocks(context: FetchContext, heights: readonly number[]): Promise<void> {
  const faults = new Faults();
  const [headers, ranged] = await Promise.all([
    fetchHeaders(context.session, heights, faults),
    context.receipts ? new Map<number, unknown[]>() : fetchRanges(context.session, heights),
  ]);
  const open = headers.filter((header) => !settleFromRange(context, header, ranged.get(header.height)));
  await fetchByHash(context, open, faults);
  faults.throwFirst();
}

/** Collects what went wrong with single blocks while others go on. */
export class Faults {
  private first: EndpointFailure | undefined;

  /** The value of the work, or undefined when it failed. */
  of<Value>(work: () => Value): Value | undefined {
    try {
      return work();
    } catch (error) {
      this.first ??= asEndpointFailure(error);
      return undefined;
    }
  }

  throwFirst(): void {
    if (this.first) throw this.first;
  }
}

function asEndpointFailure(error: unknown): EndpointFailure {
  if (error instanceof EndpointFailure) return error;
  // A block is the simplest thing to ask for, so a request that cannot be right is the endpoint's doing.
  if (error instanceof RpcError) return new EndpointFailure("down", `answered with error ${error.code}`);
  throw error;
}

async function fetchHeaders(session: Session, heights: readonly number[], faults: Faults): Promise<Header[]> {
  const method = "eth_getBlockByNumber";
  const answers = await session.batch(
    heights.map((height) => ({ method, params: [`0x${height.toString(16)}`, true] })),
  );
  return heights.flatMap((height, at) => {
    const read = () => readHeader(resultOf(answers[at], method, { mustExist: true }), height);
    return faults.of(read) ?? [];
  });
}

async function fetchRanges(session: Session, heights: readonly number[]): Promise<Map<number, unknown[]>> {
  const [from, to] = [heights[0], heights.at(-1)];
  // With holes between them, most of a range would be fetched in vain.
  if (from === undefined || to === undefined || to - from + 1 > 2 * heights.length) return new Map();
  return fetchLogRange(session, from, to);
}

/** Whether the logs of the range make the block whole. Any doubt is left to be settled by the block's hash. */
function settleFromRange(
  { session, check, keep }: FetchContext,
  header: Header,
  logs: unknown[] | undefined,
): boolean {
  if (!logs || !check.tellsLogs(header)) return false;
  const block = new Faults().of(() => {
    const whole = blockOf(header, readLogs(logs, header, check));
    check.accept(header, whole, session.endpoint);
    return whole;
  });
  if (block) keep(block);
  return block !== undefined;
}

export function blockOf(header: Header, logs: Block["logs"], transactions = header.transactions): Block {
  const { height, hash, parent_hash, time } = header;
  return { height, hash, parent_hash, time, transactions, logs };
}
