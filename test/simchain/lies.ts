import { type Hex, toHex } from "viem";
import { bloomOf } from "./header.ts";
import { type JsonLog, jsonLogs } from "./json.ts";
import type { SeededRandom } from "./random.ts";
import type { SimBlock } from "./tree.ts";

// A log that repeats the address and topics of others leaves no trace of its own in the header. Whether the last of a
// block was left out, or one more put behind it, then only the receipts root could tell; such lies are not told here.

/** The logs of a block without one of them; all of them where nobody could tell. */
export function withoutOne(block: SimBlock, random: SeededRandom): JsonLog[] {
  const logs = jsonLogs(block);
  if (logs.length === 0) return logs;
  const gone = random.below(logs.length);
  const left = logs.filter((_, at) => at !== gone);
  const isRenumbered = random.chance(0.5);
  const isSeenInBloom = bloom(left) !== block.header.logsBloom;
  if (!isSeenInBloom && (isRenumbered || gone === logs.length - 1)) return logs;
  return isRenumbered ? left.map((log, at) => ({ ...log, logIndex: toHex(at) })) : left;
}

/** The logs of a block and one that never was. */
export function withOneMore(block: SimBlock, random: SeededRandom): JsonLog[] {
  const logs = jsonLogs(block);
  const model = logs.at(-1);
  if (!model) return logs;
  const extra = { ...model, topics: [random.word()], logIndex: toHex(logs.length) };
  const more = [...logs, extra];
  return bloom(more) === block.header.logsBloom ? logs : more;
}

/** An answer in which some hash of a block is another. */
export function withWrongHash(result: unknown, hash: Hex, random: SeededRandom): unknown {
  const places = JSON.stringify(result).split(hash);
  if (places.length < 2) return result;
  const wrong = 1 + random.below(places.length - 1);
  const text = places.reduce((before, part, at) => `${before}${at === wrong ? random.word() : hash}${part}`);
  return JSON.parse(text);
}

function bloom(logs: JsonLog[]): Hex {
  return bloomOf([{ logs }]);
}
