import { getAddress, isAddress } from "viem";

/** An address in its one spelling, or undefined when it is none. Mixed case must be a right checksum: a typo is not an address. */
export function parseAddress(text: string): string | undefined {
  return isAddress(text, { strict: true }) ? getAddress(text) : undefined;
}
