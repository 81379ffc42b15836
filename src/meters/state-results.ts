import { checksumAddress, concat, encodeAbiParameters, type Hex, toHex } from "viem";
import type { Read, ReadResult } from "../chains/block.ts";
import { type DecodedValue, MalformedData } from "../chains/decoding/decoded-value.ts";
import { decodeValues, nameValues } from "../chains/evm/abi/abi-data.ts";
import { type AbiField, compileFields } from "../chains/evm/abi/abi-type.ts";
import { canonicalFunction } from "../chains/evm/abi/signature.ts";
import { memoize } from "../lib/memoize.ts";
import type { Reading } from "./meter.ts";

/** Why a state cannot be told, in a sentence for whoever watches it. */
export class UnreadableState extends Error {
  override name = "Unreadable";
}

/** The reading of a state, or the sentence that says why there is none. */
export function readingOrProblem(
  make: () => { value: number; evidence: Record<string, unknown> },
): Reading | { problem: string } {
  try {
    const { value, evidence } = make();
    if (!Number.isFinite(value)) throw new UnreadableState("The value is too large to work with.");
    return { value, tx_hash: null, position: null, evidence };
  } catch (error) {
    if (!(error instanceof UnreadableState)) throw error;
    return { problem: error.message };
  }
}

/** Calls a function that is declared as in Solidity, with what it returns. */
export function readCall(to: string, declaration: string, args: readonly unknown[] = []): Read {
  const { selector, inputs } = parseDeclaration(declaration);
  return { kind: "call", to, data: concat([selector, encodeAbiParameters(inputs, args)]) };
}

/** What such a call returned, by name and by position. Throws an Unreadable. */
export function resultOf(
  result: ReadResult | undefined,
  declaration: string,
): { [name: string]: DecodedValue } {
  const { name, outputs } = parseDeclaration(declaration);
  return nameValues(outputs, returnedValues(result, name, outputs));
}

/** The first integer that such a call returned. Throws an Unreadable. */
export function integerResult(result: ReadResult | undefined, declaration: string): bigint {
  return asInteger(resultOf(result, declaration).$0);
}

export function asInteger(value: DecodedValue | undefined): bigint {
  if (typeof value !== "bigint")
    throw new UnreadableState("A number was expected and something else returned.");
  return value;
}

/** Decodes what a function returned. Throws an Unreadable. */
export function returnedValues(
  result: ReadResult | undefined,
  name: string,
  outputs: readonly AbiField[],
): DecodedValue[] {
  const data = dataOf(result, `${name}()`);
  try {
    return decodeValues(outputs, Buffer.from(data.slice(2), "hex"));
  } catch (error) {
    if (!(error instanceof MalformedData)) throw error;
    throw new UnreadableState(`${name}() did not return what it should; check that the contract has it.`);
  }
}

/** A balance or a storage slot as a number. Some nodes leave out leading zeros, or everything of a zero. */
export function wordOf(result: ReadResult | undefined, what: string): bigint {
  const data = dataOf(result, what);
  if (!/^0x[0-9a-f]{0,64}$/i.test(data)) throw new UnreadableState(`${what} is not a word of 32 bytes.`);
  return data === "0x" ? 0n : BigInt(data);
}

/** The last 20 bytes, as contracts keep an address in a slot. */
export function addressInWord(word: bigint): string {
  return checksumAddress(toHex(BigInt.asUintN(160, word), { size: 20 }));
}

function dataOf(result: ReadResult | undefined, what: string): Hex {
  if (result?.ok) return result.data;
  const reason = result?.problem.replace(/\.$/, "").slice(0, 200) || "there is no answer";
  throw new UnreadableState(`${what} could not be read: ${reason}.`);
}

const parseDeclaration = memoize(10_000, (declaration) => {
  const read = canonicalFunction(declaration);
  if (!read.ok) throw new Error(read.problem);
  const { name, inputs, outputs } = read.item;
  return { name, inputs, outputs: compileFields(outputs), selector: read.selector };
});
