import type { Hex, Read, ReadResult } from "../chains/block.ts";
import { type DecodedValue, MalformedData } from "../chains/decoding/decoded-value.ts";
import { decodeValues, nameValues } from "../chains/evm/abi/abi-data.ts";
import { type AbiField, compileFields } from "../chains/evm/abi/abi-type.ts";
import { encodeValues } from "../chains/evm/abi/encode.ts";
import { canonicalFunction } from "../chains/evm/abi/signature.ts";
import { getAddress } from "../chains/evm/values/address.ts";
import { concat, toHex } from "../chains/evm/values/hex.ts";
import { memoize } from "../lib/caching/memoize.ts";
import type { Problem, Reading } from "./meter.ts";

/** Thrown when a state read has no usable result. The message is shown as the problem of the target. */
export class UnreadableState extends Error {
  override name = "Unreadable";
}

/** Thrown when the contract is not what the meter measures. */
export class UnsupportedState extends UnreadableState {
  override name = "Unsupported";
}

/** Returns the reading of a state, or the problem if an UnreadableState was thrown. */
export function readingOrProblem(
  make: () => { value: number; evidence: Record<string, unknown> },
): Reading | Problem {
  try {
    const { value, evidence } = make();
    if (!Number.isFinite(value)) throw new UnreadableState("The value is too large to be represented.");
    return { value, tx_hash: null, position: null, evidence };
  } catch (error) {
    if (!(error instanceof UnreadableState)) throw error;
    return { problem: error.message, ...(error instanceof UnsupportedState && { isUnsupported: true }) };
  }
}

/** Builds a call of a function from its Solidity declaration. */
export function readCall(to: string, declaration: string, args: readonly unknown[] = []): Read {
  const { selector, inputs } = parseDeclaration(declaration);
  return { kind: "call", to, data: concat([selector, encodeValues(inputs, args)]) };
}

/** Decodes the return values of a call, by name and by position. Throws UnreadableState. */
export function resultOf(
  result: ReadResult | undefined,
  declaration: string,
): { [name: string]: DecodedValue } {
  const { name, outputs } = parseDeclaration(declaration);
  return nameValues(outputs, returnedValues(result, name, outputs));
}

/** Decodes the first return value of a call as an integer. Throws UnreadableState. */
export function integerResult(result: ReadResult | undefined, declaration: string): bigint {
  return asInteger(resultOf(result, declaration).$0);
}

export function asInteger(value: DecodedValue | undefined): bigint {
  if (typeof value !== "bigint")
    throw new UnreadableState("The function returned a value that is not a number.");
  return value;
}

/** Decodes the return data of a function. Throws UnreadableState. */
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
    throw new UnreadableState(
      `${name}() returned data of an unexpected type; check that the contract has this function.`,
    );
  }
}

/** Parses a balance or a storage slot. Some endpoints omit leading zeros, or return no digits for zero. */
export function wordOf(result: ReadResult | undefined, what: string): bigint {
  const data = dataOf(result, what);
  if (!/^0x[0-9a-f]{0,64}$/i.test(data))
    throw new UnreadableState(`${what} is longer than 32 bytes or not hexadecimal.`);
  return data === "0x" ? 0n : BigInt(data);
}

/** Returns the address in the last 20 bytes of a word. */
export function addressInWord(word: bigint): string {
  return getAddress(toHex(BigInt.asUintN(160, word), { size: 20 }));
}

function dataOf(result: ReadResult | undefined, what: string): Hex {
  if (result?.ok) return result.data;
  const reason = result?.problem.replace(/\.$/, "").slice(0, 200) || "there is no result";
  throw new UnreadableState(`${what} could not be read: ${reason}.`);
}

const parseDeclaration = memoize(10_000, (declaration) => {
  const read = canonicalFunction(declaration);
  if (!read.ok) throw new Error(read.problem);
  const { name, inputs, outputs } = read.item;
  return { name, inputs: compileFields(inputs), outputs: compileFields(outputs), selector: read.selector };
});
