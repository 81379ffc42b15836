import type { Hex, Log } from "../../block.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import { bloomMayContain, isTrivialBloom } from "../blocks/bloom.ts";
import type { Tolerates } from "../blocks/header.ts";
import { makeLogPositions } from "../blocks/log-position.ts";
import type { FoundLog } from "./fetch-events.ts";
import type { ScanHeader } from "./scan-header.ts";

/** Verifies the logs of a block against its header, as far as a part of the logs can be. Returns them in order. */
export function verifyLogs(header: ScanHeader, logs: readonly FoundLog[], tolerates: Tolerates): Log[] {
  for (const log of logs) {
    if (log.block_hash !== header.hash && !tolerates("other_block_hash", header, log.block_hash))
      throw inconsistent("returned logs of another block");
    const listed = header.transactions[log.tx_index];
    if (listed !== log.tx_hash && !tolerates("unlisted_transactions", header, log.tx_hash))
      throw inconsistent("returned logs of transactions that are not in the block");
    const isBeyond = !isInBloom(header, log);
    if (isBeyond && !tolerates("logs_beyond_bloom", header, `${log.tx_hash}:${log.log_index}`))
      throw inconsistent("returned logs that are not in the bloom filter of the header");
  }
  return numberLogs(logs);
}

/** Sorts and numbers the logs of one block. A log that was returned twice counts once. */
export function numberLogs(logs: readonly FoundLog[]): Log[] {
  // Some nodes number the logs of each transaction.
  const byIndex = new Map(logs.map((log) => [`${log.tx_hash}:${log.log_index}`, log]));
  const positionOf = makeLogPositions();
  return [...byIndex.values()]
    .toSorted((a, b) => a.log_index - b.log_index || a.tx_index - b.tx_index)
    .map(({ height: _, block_hash: _hash, time: _time, ...log }) => ({
      ...log,
      position: positionOf({ tx_index: log.tx_index, address: log.address, topic: log.topics[0] }),
    }));
}

/** Identifies a log of a block by its transaction, because nodes may number the logs of a block differently. */
export function logIdOf({ tx_hash, position }: Pick<Log, "tx_hash" | "position">): string {
  return `${tx_hash.slice(2, 18)}:${position.toString(36)}`;
}

/** A filter without any or with every bit says nothing. */
function isInBloom({ logs_bloom }: ScanHeader, log: FoundLog): boolean {
  return isTrivialBloom(logs_bloom) || bloomMayContain(logs_bloom, log.address as Hex, log.topics);
}

function inconsistent(what: string): EndpointFailure {
  return new EndpointFailure("inconsistent", what);
}
