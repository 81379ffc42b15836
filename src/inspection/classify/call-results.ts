import type { ReadResult } from "../../chains/block.ts";
import type { DecodedValue } from "../../chains/decoding/decoded-value.ts";
import { parseAddress, zeroAddress } from "../../chains/evm/values/address.ts";
import { resultOf, UnreadableState } from "../../meters/state-results.ts";

/** Returns the first return value of a call; undefined if the contract does not have the function. */
export function returnedValue(result: ReadResult | undefined, declaration: string): DecodedValue | undefined {
  // A contract with a fallback function may return no data instead of reverting.
  if (!result?.ok || result.data.length < 66) return undefined;
  try {
    return resultOf(result, declaration).$0;
  } catch (error) {
    if (error instanceof UnreadableState) return undefined;
    throw error;
  }
}

export function integerIn(result: ReadResult | undefined, declaration: string): bigint | undefined {
  const value = returnedValue(result, declaration);
  return typeof value === "bigint" ? value : undefined;
}

/** Returns an address other than the zero address. */
export function addressIn(result: ReadResult | undefined, declaration: string): string | undefined {
  // The first twelve bytes of an address word are zero; other data is not an address.
  if (!result?.ok || !/^0x0{24}[0-9a-f]{40}$/i.test(result.data)) return undefined;
  return readableAddress(returnedValue(result, declaration));
}

export function addressesIn(result: ReadResult | undefined, declaration: string): string[] {
  const value = returnedValue(result, declaration);
  return Array.isArray(value) ? value.flatMap((decodedValue) => readableAddress(decodedValue) ?? []) : [];
}

/** Returns a short text without control characters, because contracts may return any text. */
export function textIn(result: ReadResult | undefined, declaration: string): string | undefined {
  const value = returnedValue(result, declaration);
  if (typeof value !== "string") return undefined;
  const text = value.replace(/\p{C}+/gu, "").trim();
  return text === "" || text.length > 200 ? undefined : text;
}

function readableAddress(value: DecodedValue | undefined): string | undefined {
  const address = typeof value === "string" ? parseAddress(value) : undefined;
  return address === zeroAddress ? undefined : address;
}
