import type { Hex } from "../../block.ts";
import { EndpointFailure } from "../../rpc/failure.ts";

// Read by hand rather than by zod: a busy chain brings tens of thousands of these fields a second.

/** An object of a node's answer, before anything about it is known. */
export type Raw = Record<string, unknown>;

export function readObject(value: unknown, what: string): Raw {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw misshapen(what);
  return value as Raw;
}

export function readList(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw misshapen(what);
  return value;
}

/** A hash or topic: 32 bytes, in lower case so that it can be compared. */
export function readWord(value: unknown, what: string): Hex {
  if (typeof value !== "string") throw misshapen(what);
  const letters = value.length === 66 ? lettersOf(value) : notHex;
  if (letters === notHex) throw misshapen(what);
  return (letters === lower ? value : value.toLowerCase()) as Hex;
}

/** Bytes of any length. */
export function readBytes(value: unknown, what: string): Hex {
  if (typeof value !== "string" || value.length % 2 !== 0 || lettersOf(value) === notHex) {
    throw misshapen(what);
  }
  return value as Hex;
}

/** A number that is exact in JavaScript. */
export function readNumber(value: unknown, what: string): number {
  if (typeof value !== "string" || !quantity.test(value)) throw misshapen(what);
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw misshapen(what);
  return number;
}

export function readBigInt(value: unknown, what: string): bigint {
  if (typeof value !== "string" || !quantity.test(value)) throw misshapen(what);
  // Most values and prices are small enough to go by way of a number, which is faster.
  return value.length <= 15 ? BigInt(Number(value)) : BigInt(value);
}

export function misshapen(what: string): EndpointFailure {
  return new EndpointFailure("malformed", `sent a block with a wrong ${what}`);
}

const quantity = /^0x[0-9a-fA-F]{1,64}$/;

const [notHex, anyCase, lower] = [0, 1, 3];
const letterOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[0-9a-f]/.test(letter)) return lower;
  return /[A-F]/.test(letter) ? anyCase : notHex;
});

/** What is looked at is laid out here. */
const table = Buffer.alloc(64 * 1024);

/** In which letters bytes are written. Looking at them as bytes takes a fifth of the time that a regular expression does. */
function lettersOf(value: string): number {
  if (!value.startsWith("0x")) return notHex;
  if (value.length > table.length) return lettersOfLong(value);
  // Written as UTF-8, what is not plain takes more room than it has letters, or letters that are none here.
  const length = table.write(value, "utf8");
  let letters = length === value.length ? lower : notHex;
  for (let at = 2; at < length; at++) letters &= letterOf[table[at] as number] ?? notHex;
  return letters;
}

function lettersOfLong(value: string): number {
  let letters = lower;
  for (let at = 2; at < value.length; at++) letters &= letterOf[value.charCodeAt(at)] ?? notHex;
  return letters;
}
