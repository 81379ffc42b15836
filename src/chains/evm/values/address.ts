import { getAddress, isAddress } from "viem";

/** Returns an address in EIP-55 spelling; undefined when it is invalid or its mixed case is not a correct checksum. */
export function parseAddress(text: string): string | undefined {
  // EIP-55: an address in one case has no checksum. The library accepts only the lower one.
  const plain = /^0x[0-9A-F]{40}$/.test(text) ? text.toLowerCase() : text;
  return isAddress(plain, { strict: true }) ? getAddress(plain) : undefined;
}
