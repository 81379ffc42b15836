import { type Hex, keccak256 } from "viem";
import type { Log } from "../block.ts";

/** How the filter in a header and the logs of its block relate. */
export type BloomVerdict =
  | "equal"
  /** The header tells of logs that are not there. */
  | "logs_missing"
  /** There are logs that the header does not tell of. */
  | "logs_beyond";

/** Compares the filter of a header with the one that these logs give. A log that repeats others leaves no trace in it. */
export function compareBloom(logsBloom: string, logs: readonly Log[]): BloomVerdict {
  const own = bloomOf(logs);
  const said = Buffer.from(logsBloom.slice(2), "hex");
  if (own.equals(said)) return "equal";
  const isMissing = said.some((byte, at) => (byte & ~(own[at] ?? 0)) !== 0);
  return isMissing ? "logs_missing" : "logs_beyond";
}

/** The filter of a block with these logs. */
export function bloomOf(logs: readonly Pick<Log, "address" | "topics">[]): Buffer {
  const bloom = Buffer.alloc(256);
  for (const { address, topics } of logs) {
    setBits(bloom, address.toLowerCase());
    for (const topic of topics) setBits(bloom, topic);
  }
  return bloom;
}

function setBits(bloom: Buffer, value: string): void {
  const bits = bitsOf(value);
  for (let shift = 0; shift < 33; shift += 11) {
    const bit = Math.floor(bits / 2 ** shift) % 2048;
    const at = 255 - (bit >> 3);
    bloom[at] = (bloom[at] ?? 0) | (1 << (bit & 7));
  }
}

/** The three bits of a value, eleven digits each, packed in one number that is cheap to keep. */
function bitsOf(value: string): number {
  const known = newer.get(value) ?? older.get(value);
  if (known !== undefined) return known;
  const hash = keccak256(value as Hex);
  const bit = (start: number) => Number.parseInt(hash.slice(start, start + 4), 16) % 2048;
  const bits = bit(2) + bit(6) * 2 ** 11 + bit(10) * 2 ** 22;
  if (newer.size >= mostInGeneration) {
    older = newer;
    newer = new Map();
  }
  newer.set(value, bits);
  return bits;
}

// Hashing is what a block costs most; the same contracts, events and people come up again and again.
const mostInGeneration = 50_000;
let newer = new Map<string, number>();
let older = new Map<string, number>();
