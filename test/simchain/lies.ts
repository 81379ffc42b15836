import { type Hex, toHex } from "viem";
import { bloomOf } from "./header.ts";
import { type JsonLog, jsonLogs } from "./json.ts";
import type { SeededRandom } from "./random.ts";
import type { SimBlock } from "./tree.ts";

// A log with the address and topics of another one does not change the bloom filter. If the last log of a block is such a
// log, only the receipts root could show that it was omitted or added, so nodes do not lie in this way here.

/**
 * The logs of a block without one of them; all of them when the omission could not be detected. If only some of them are returned,
 * their numbers cannot be checked, so that they are true.
 */
export function withoutOne(block: SimBlock, random: SeededRandom, isFiltered: boolean): JsonLog[] {
  const logs = jsonLogs(block);
  if (logs.length === 0) return logs;
  const omitted = random.below(logs.length);
  const remaining = logs.filter((_, at) => at !== omitted);
  const isRenumbered = random.chance(0.5) && !isFiltered;
  const isSeenInBloom = bloom(remaining) !== block.header.logsBloom;
  if (!isSeenInBloom && (isRenumbered || omitted === logs.length - 1)) return logs;
  return isRenumbered ? remaining.map((log, at) => ({ ...log, logIndex: toHex(at) })) : remaining;
}

/** The logs of a block and a forged one. */
export function withOneMore(block: SimBlock, random: SeededRandom): JsonLog[] {
  const logs = jsonLogs(block);
  const model = logs.at(-1);
  if (!model) return logs;
  const extra = { ...model, topics: [random.word()], logIndex: toHex(logs.length) };
  const extended = [...logs, extra];
  return bloom(extended) === block.header.logsBloom ? logs : extended;
}

/** A result with one occurrence of the block hash replaced. */
export function withWrongHash(result: unknown, hash: Hex, random: SeededRandom): unknown {
  const parts = JSON.stringify(result).split(hash);
  if (parts.length < 2) return result;
  const wrong = 1 + random.below(parts.length - 1);
  const text = parts.reduce((before, part, at) => `${before}${at === wrong ? random.word() : hash}${part}`);
  return JSON.parse(text);
}

function bloom(logs: JsonLog[]): Hex {
  return bloomOf([{ logs }]);
}
