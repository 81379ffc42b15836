import { zeroAddress } from "viem";
import type { ReadResult } from "../../chains/block.ts";
import type { DecodedValue } from "../../chains/decoding/decoded-value.ts";
import { parseAddress } from "../../chains/evm/values/address.ts";
import { resultOf, UnreadableState } from "../../meters/state-results.ts";

/** What a call returned first; undefined where the contract has no such function, which is an ordinary answer here. */
export function returnedValue(result: ReadResult | undefined, declaration: string): DecodedValue | undefined {
  // Code without the function may also answer with nothing.
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

/** An address other than zero. */
export function addressIn(result: ReadResult | undefined, declaration: string): string | undefined {
  // An address is a word whose first twelve bytes are empty; anything else is another kind of answer.
  if (!result?.ok || !/^0x0{24}[0-9a-f]{40}$/i.test(result.data)) return undefined;
  return readableAddress(returnedValue(result, declaration));
}

export function addressesIn(result: ReadResult | undefined, declaration: string): string[] {
  const value = returnedValue(result, declaration);
  return Array.isArray(value) ? value.flatMap((one) => readableAddress(one) ?? []) : [];
}

/** A short line of text. Contracts write what they like, so that invisible characters are left out. */
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
