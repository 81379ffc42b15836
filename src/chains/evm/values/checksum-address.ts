import { type Hex, checksumAddress as toChecksum } from "viem";
import { memoize } from "../../../lib/memoize.ts";
import { malformedField } from "./raw.ts";

/** Turns what a node calls an address into its EIP-55 spelling. */
export function checksumAddress(value: unknown, field: string): string {
  // Whatever else is wrong with it, what is remembered is no longer than an address.
  const checksummed = typeof value === "string" && value.length === 42 ? toChecksummed(value) : "";
  if (checksummed === "") throw malformedField(field);
  return checksummed;
}

const toChecksummed = memoize(20_000, (value) =>
  /^0x[0-9a-fA-F]{40}$/.test(value) ? toChecksum(value.toLowerCase() as Hex) : "",
);
