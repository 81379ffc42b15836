import type { Hex } from "../../block.ts";
import { keccak256 } from "../values/keccak.ts";

/**
 * Returns whether a block may contain a log of this address with all of these topics. False is certain, true is not. A
 * malformed filter excludes nothing.
 */
export function bloomMayContain(logsBloom: string, address: Hex, topics: readonly Hex[]): boolean {
  if (!isBloom(logsBloom)) return true;
  return [address, ...topics].every((value) => hasBits(logsBloom, value));
}

/** Returns whether the filter carries no information: it is malformed, or all zeros or all ones, as some chains return it. */
export function isTrivialBloom(logsBloom: string): boolean {
  return !isBloom(logsBloom) || /^0x(?:0+|[fF]+)$/.test(logsBloom);
}

function isBloom(text: string): boolean {
  return text.length === 514 && /^0x[0-9a-fA-F]+$/.test(text);
}

/** Each value sets three of the 2048 bits, numbered by the first three pairs of bytes of its hash. */
function hasBits(logsBloom: string, value: Hex): boolean {
  const hash = keccak256(value);
  return [2, 6, 10].every((start) => {
    const bit = Number.parseInt(hash.slice(start, start + 4), 16) % 2048;
    // Bit 0 is the lowest bit of the last digit; each digit holds four bits.
    const digit = Number.parseInt(logsBloom.charAt(logsBloom.length - 1 - (bit >> 2)), 16);
    return ((digit >> (bit & 3)) & 1) === 1;
  });
}
