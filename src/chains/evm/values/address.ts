import { getAddress, isAddress } from "viem";

/** Returns an address in EIP-55 spelling; undefined when it is invalid or its mixed case is not a correct checksum. */
export function parseAddress(text: string): string | undefined {
  return isAddress(text, { strict: true }) ? getAddress(text) : undefined;
}
