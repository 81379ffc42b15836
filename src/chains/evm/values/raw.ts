import type { Hex } from "../../block.ts";
import { EndpointFailure } from "../../rpc/failure.ts";

// Validated by hand instead of zod: a busy chain has tens of thousands of these fields a second.

/** An unvalidated object from a node. */
export type Raw = Record<string, unknown>;

export function readObject(value: unknown, field: string): Raw {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformedField(field);
  return value as Raw;
}

export function readList(value: unknown, field: string): unknown[] {
  if (!Array.isArray(value)) throw malformedField(field);
  return value;
}

/** Reads a hash or topic of 32 bytes; returns it in lower case, for comparison. */
export function readWord(value: unknown, field: string): Hex {
  if (typeof value !== "string") throw malformedField(field);
  const hexCase = value.length === 66 ? hexCaseOf(value) : notHex;
  if (hexCase === notHex) throw malformedField(field);
  return (hexCase === lower ? value : value.toLowerCase()) as Hex;
}

/** Reads bytes of any length. */
export function readBytes(value: unknown, field: string): Hex {
  if (typeof value !== "string" || value.length % 2 !== 0 || hexCaseOf(value) === notHex) {
    throw malformedField(field);
  }
  return value as Hex;
}

/** Reads a quantity that is a safe integer. */
export function readNumber(value: unknown, field: string): number {
  if (typeof value !== "string" || !quantity.test(value)) throw malformedField(field);
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw malformedField(field);
  return number;
}

export function readBigInt(value: unknown, field: string): bigint {
  if (typeof value !== "string" || !quantity.test(value)) throw malformedField(field);
  // Converting through a number is faster, and most values are small enough.
  return value.length <= 15 ? BigInt(Number(value)) : BigInt(value);
}

export function malformedField(field: string): EndpointFailure {
  return new EndpointFailure("malformed", `returned a block with an invalid ${field}`);
}

const quantity = /^0x[0-9a-fA-F]{1,64}$/;

const [notHex, anyCase, lower] = [0, 1, 3];
const caseOfCode = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[0-9a-f]/.test(letter)) return lower;
  return /[A-F]/.test(letter) ? anyCase : notHex;
});

/** Reused for every check, to avoid an allocation. */
const scratch = Buffer.alloc(64 * 1024);

/** Checks that text is hexadecimal, and whether it is in lower case. Five times as fast as a regular expression. */
function hexCaseOf(value: string): number {
  if (!value.startsWith("0x")) return notHex;
  if (value.length > scratch.length) return hexCaseOfLong(value);
  // In UTF-8, a character outside ASCII takes several bytes, so the lengths differ.
  const length = scratch.write(value, "utf8");
  let hexCase = length === value.length ? lower : notHex;
  for (let index = 2; index < length; index++) hexCase &= caseOfCode[scratch[index] as number] ?? notHex;
  return hexCase;
}

function hexCaseOfLong(value: string): number {
  let hexCase = lower;
  for (let index = 2; index < value.length; index++) hexCase &= caseOfCode[value.charCodeAt(index)] ?? notHex;
  return hexCase;
}
