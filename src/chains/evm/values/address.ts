import { RLP } from "@ethereumjs/rlp";
import { memoize } from "../../../lib/caching/memoize.ts";
import type { Hex } from "../../block.ts";
import { bytesOf, toHex } from "./hex.ts";
import { keccak, keccakOfText } from "./keccak.ts";

export const zeroAddress: Hex = `0x${"0".repeat(40)}`;

/** Returns an address in EIP-55 spelling; undefined when it is invalid or its mixed case is not a correct checksum. */
export function parseAddress(text: string): Hex | undefined {
  if (!isAddress(text)) return undefined;
  const checksummed = toChecksum(text.toLowerCase());
  // EIP-55: an address in one case has no checksum.
  const isOneCase = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/.test(text);
  return isOneCase || text === checksummed ? checksummed : undefined;
}

/** Returns an address in EIP-55 spelling, whatever its case. Throws if it is not an address. */
export function getAddress(text: string): Hex {
  if (!isAddress(text)) throw new Error(`${text} is not an address.`);
  return toChecksum(text.toLowerCase());
}

/** The address of the contract that an account creates with a nonce. */
export function contractAddress(from: string, nonce: bigint): Hex {
  const digits = nonce === 0n ? "" : nonce.toString(16);
  const list = RLP.encode([
    bytesOf(from),
    Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex"),
  ]);
  return getAddress(toHex(keccak(list).subarray(12)));
}

function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

/** A letter is in upper case where the hash of the address has a digit from 8 on. */
const toChecksum = memoize(20_000, (lower): Hex => {
  const hash = keccakOfText(lower.slice(2));
  const digits = lower
    .slice(2)
    .replace(/[a-f]/g, (letter, offset: number) =>
      Number.parseInt(hash.charAt(2 + offset), 16) >= 8 ? letter.toUpperCase() : letter,
    );
  return `0x${digits}`;
});
