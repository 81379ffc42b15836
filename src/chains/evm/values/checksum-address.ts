import { type Hex, checksumAddress as toChecksum } from "viem";
import { memoize } from "../../../lib/memoize.ts";
import { misshapen } from "./raw.ts";

/** Turns what a node calls an address into its EIP-55 spelling. */
export function checksumAddress(value: unknown, what: string): string {
  // Whatever else is wrong with it, what is remembered is no longer than an address.
  const spelled = typeof value === "string" && value.length === 42 ? spell(value) : "";
  if (spelled === "") throw misshapen(what);
  return spelled;
}

const spell = memoize(20_000, (value) =>
  /^0x[0-9a-fA-F]{40}$/.test(value) ? toChecksum(value.toLowerCase() as Hex) : "",
);
