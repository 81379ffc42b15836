import { memoize } from "../../../lib/caching/memoize.ts";
import type { Log } from "../../block.ts";
import { keccak } from "../values/keccak.ts";

/** The comparison of the bloom filter in a header with the logs of its block. */
export type BloomVerdict =
  | "equal"
  /** The filter has bits that no log explains. */
  | "logs_missing"
  /** There are logs that are not in the filter. */
  | "logs_beyond";

/** Compares the filter of a header with the one computed from logs. Duplicate logs do not change a filter. */
export function compareBloom(logsBloom: string, logs: readonly Log[]): BloomVerdict {
  const computed = bloomOf(logs);
  const declared = Buffer.from(logsBloom.slice(2), "hex");
  if (computed.equals(declared)) return "equal";
  const isMissing = declared.some((byte, index) => (byte & ~(computed[index] ?? 0)) !== 0);
  return isMissing ? "logs_missing" : "logs_beyond";
}

/** Computes the bloom filter of logs. */
export function bloomOf(logs: readonly Pick<Log, "address" | "topics">[]): Buffer {
  const bloom = Buffer.alloc(256);
  let previous: readonly string[] = [];
  for (const { address, topics } of logs) {
    setBits(bloom, address);
    for (const [index, topic] of topics.entries()) if (topic !== previous[index]) setBits(bloom, topic);
    previous = topics;
  }
  return bloom;
}

/** Returns whether a filter may contain an address or a topic. False is certain, true is not. */
export function mayContain(bloom: Buffer, value: string): boolean {
  const bits = bitsOf(value);
  return (
    hasBit(bloom, bits & 2047) &&
    hasBit(bloom, (bits >>> 11) & 2047) &&
    hasBit(bloom, Math.floor(bits / 2 ** 22))
  );
}

function hasBit(bloom: Buffer, bit: number): boolean {
  return ((bloom[255 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0;
}

function setBits(bloom: Buffer, value: string): void {
  const bits = bitsOf(value);
  setBit(bloom, bits & 2047);
  setBit(bloom, (bits >>> 11) & 2047);
  setBit(bloom, Math.floor(bits / 2 ** 22));
}

function setBit(bloom: Buffer, bit: number): void {
  const index = 255 - (bit >> 3);
  bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7));
}

/** The three bit numbers of a value, 11 bits each, packed into one number to save memory. */
const bitsOf = memoize(50_000, (value) => {
  const hash = keccak(Buffer.from(value.slice(2), "hex"));
  const bit = (offset: number) => hash.readUInt16BE(offset) % 2048;
  return bit(0) + bit(2) * 2 ** 11 + bit(4) * 2 ** 22;
});
