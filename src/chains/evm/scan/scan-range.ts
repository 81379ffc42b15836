import type { Block, Log } from "../../block.ts";
import { isWatchedEvent, type WatchedEvents } from "../../reading-plan.ts";
import type { Session } from "../../rpc/session.ts";
import type { BlockVerifier } from "../blocks/block-verifier.ts";
import { toleranceOf } from "../blocks/fetch-context.ts";
import type { RecentBlocks } from "../heads/head-tracker.ts";
import type { FoundLog } from "./fetch-events.ts";
import { mayLackEvents, readAllLogs } from "./omitted-events.ts";
import { fetchScanHeaders, type ScanHeader } from "./scan-header.ts";
import { logIdOf, numberLogs, verifyLogs } from "./verify-logs.ts";

export type ScanContext = {
  session: Session;
  verifier: BlockVerifier;
  recent: RecentBlocks;
  /** Logs that were found late, by the hash of their block. */
  late: ReadonlyMap<string, readonly FoundLog[]>;
  /** True if every header of a range is read, which verifies each block; otherwise only those with logs and the last. */
  readsAllHeaders: boolean;
};

export type ScannedRange = {
  from: number;
  to: number;
  filter: string;
  events: WatchedEvents;
  /** True if events may become alerts, which name the senders of their transactions. */
  hasRules: boolean;
};

/** Makes blocks of the watched logs of a range: verified, in order, with the last block of the range. */
export async function blocksOfRange(
  context: ScanContext,
  { from, to, filter, events, hasRules }: ScannedRange,
  logs: readonly FoundLog[],
): Promise<Block[]> {
  const byHeight = Map.groupBy(logs, ({ height }) => height);
  const lateHeights = [...context.late.values()].flatMap(([first]) => first?.height ?? []);
  const heights = context.readsAllHeaders
    ? Array.from({ length: to - from + 1 }, (_, index) => from + index)
    : [
        ...new Set([
          ...byHeight.keys(),
          ...lateHeights.filter((height) => height >= from && height < to),
          to,
        ]),
      ].sort((a, b) => a - b);
  const timed = context.readsAllHeaders
    ? []
    : heights.filter((height) => height !== to && !lateHeights.includes(height) && timeOf(byHeight, height));
  const fetched = await fetchScanHeaders(
    context,
    heights.filter((height) => !timed.includes(height)),
    // It costs no further call to have the senders with the header.
    (height) => hasRules && byHeight.has(height),
  );
  const headers = new Map(fetched.map((header) => [header.height, header]));
  const blocks: Block[] = [];
  for (const height of heights) {
    const logsOfBlock = byHeight.get(height) ?? [];
    const header = headers.get(height);
    const logs = header ? await logsOf(context, header, logsOfBlock, events) : numberLogs(logsOfBlock);
    const { hash, time, parent_hash } = header ?? refOf(logsOfBlock);
    const isLinked = height === (blocks.at(-1)?.height ?? from - 1) + 1;
    const scan = { filter, logs: logs.map(logIdOf) };
    blocks.push({
      height,
      hash,
      time,
      parent_hash: isLinked ? parent_hash : "",
      transactions: [],
      logs: logs,
      scan,
      ...(header && header.senders.size > 0 && { senders: sendersOf(header, logs) }),
    });
  }
  return blocks;
}

/** A block has many more transactions than those with watched logs. */
function sendersOf({ senders }: ScanHeader, logs: readonly Log[]): Map<string, string> {
  return new Map(
    logs.flatMap(({ tx_hash }) => {
      const sender = senders.get(tx_hash);
      return sender ? [[tx_hash, sender] as const] : [];
    }),
  );
}

async function logsOf(
  { session, verifier, late }: ScanContext,
  header: ScanHeader,
  found: readonly FoundLog[],
  events: WatchedEvents,
): Promise<Log[]> {
  // An endpoint that does not have a log yet must not hide it again.
  const foundBefore = (late.get(header.hash) ?? []).filter(({ address, topics }) =>
    isWatchedEvent(events, address, topics[0]),
  );
  const tolerates = toleranceOf({ session, verifier });
  const logs = verifyLogs(header, [...found, ...foundBefore], tolerates);
  if (!mayLackEvents(header, logs, events)) return logs;
  const all = await readAllLogs({ session, verifier, header, events });
  return all ? verifyLogs(header, all, tolerates) : logs;
}

/** The time of a block that all of its logs agree on; undefined where nodes do not add it to logs. */
function timeOf(byHeight: ReadonlyMap<number, FoundLog[]>, height: number): number | undefined {
  const [first, ...others] = byHeight.get(height) ?? [];
  const isAgreed = others.every(
    ({ time, block_hash }) => time === first?.time && block_hash === first?.block_hash,
  );
  return isAgreed ? first?.time : undefined;
}

/** The reference of a block whose logs name its hash and time. */
function refOf([first]: readonly FoundLog[]): { hash: string; time: number; parent_hash: string } {
  return { hash: first?.block_hash ?? "", time: first?.time ?? 0, parent_hash: "" };
}
