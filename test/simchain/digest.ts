import { hash } from "node:crypto";
import type { Hex } from "viem";

/** A hash that only identifies a text. Keccak-256 in JavaScript took a quarter of the time of tests with long chains. */
export function digestOf(text: string): Hex {
  return `0x${hash("sha256", text)}`;
}
