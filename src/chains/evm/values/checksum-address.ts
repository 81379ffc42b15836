import { memoize } from "../../../lib/caching/memoize.ts";
import { getAddress } from "./address.ts";
import { malformedField } from "./raw.ts";

/** Converts an address from a node to its EIP-55 spelling; throws an EndpointFailure when it is not an address. */
export function checksumAddress(value: unknown, field: string): string {
  // The length is checked first, so that the cache never holds long keys.
  const checksummed = typeof value === "string" && value.length === 42 ? toChecksummed(value) : "";
  if (checksummed === "") throw malformedField(field);
  return checksummed;
}

const toChecksummed = memoize(20_000, (value) =>
  /^0x[0-9a-fA-F]{40}$/.test(value) ? getAddress(value) : "",
);
