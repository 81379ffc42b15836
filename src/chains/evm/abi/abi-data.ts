import { setOwn } from "../../../lib/set-own.ts";
import { type DecodedValue, MalformedData } from "../../decoding/decoded-value.ts";
import { checksumAddress } from "../values/checksum-address.ts";
import type { AbiField, AbiType } from "./abi-type.ts";

/** The remaining work for one log or call, whatever number of layouts is tried. */
export type DecodingBudget = { bytes: number };

type Reader = { data: Buffer; budget: DecodingBudget };

/** That of the largest transaction that nodes relay. Only a log can be larger. */
const maxDataBytes = 128 * 1024;
/** The checksum of an address takes as long as reading several words. */
const checksumCost = 64;

/**
 * Calldata is untrusted, so the work is bounded: offsets may point to the same bytes repeatedly, but the bytes read in total
 * are limited to a multiple of the data.
 */
export function decodingBudget(dataBytes: number): DecodingBudget {
  return { bytes: 4 * Math.min(dataBytes, maxDataBytes) + 16_384 };
}

/**
 * Decodes the values of parameters, or throws MalformedData. Surplus bits of a word and trailing data are ignored, as
 * contracts do; otherwise a call could evade detection by being malformed.
 */
export function decodeValues(
  fields: readonly AbiField[],
  data: Buffer,
  budget: DecodingBudget = decodingBudget(data.length),
): DecodedValue[] {
  return readFields({ data, budget }, fields, 0);
}

/** Maps values by name and by position (`$0`). Of two values with the same name, the first gets it. */
export function nameValues(
  fields: readonly AbiField[],
  values: DecodedValue[],
): { [name: string]: DecodedValue } {
  const named: { [name: string]: DecodedValue } = {};
  for (const [position, value] of values.entries()) {
    const name = fields[position]?.name;
    if (name && !Object.hasOwn(named, name)) setOwn(named, name, value);
  }
  for (const [position, value] of values.entries()) setOwn(named, `$${position}`, value);
  return named;
}

function readFields(reader: Reader, fields: readonly AbiField[], start: number): DecodedValue[] {
  let offset = start;
  return fields.map(({ type }) => {
    const value = readHead(reader, type, offset, start);
    offset += type.headBytes;
    return value;
  });
}

/** The head of a dynamic value holds its offset from the start of the enclosing value. */
function readHead(reader: Reader, type: AbiType, offset: number, start: number): DecodedValue {
  return readValue(reader, type, type.isDynamic ? start + readLength(reader, offset) : offset);
}

function readValue(reader: Reader, type: AbiType, offset: number): DecodedValue {
  switch (type.kind) {
    case "uint":
      return BigInt.asUintN(type.bits, BigInt(`0x${readHex(reader, offset, 32)}`));
    case "int":
      return BigInt.asIntN(type.bits, BigInt(`0x${readHex(reader, offset, 32)}`));
    case "bool":
      return /[^0]/.test(readHex(reader, offset, 32));
    case "address":
      spend(reader, checksumCost);
      return checksumAddress(`0x${readHex(reader, offset, 32).slice(24)}`, "address");
    case "fixed_bytes":
      return `0x${readHex(reader, offset, 32).slice(0, 2 * type.bytes)}`;
    case "bytes":
      return `0x${readHex(reader, offset + 32, readLength(reader, offset))}`;
    case "string": {
      const length = readLength(reader, offset);
      charge(reader, offset + 32, length);
      return reader.data.toString("utf8", offset + 32, offset + 32 + length);
    }
    case "tuple":
      return nameValues(type.fields, readFields(reader, type.fields, offset));
    case "array":
      return type.length === null
        ? readArray(reader, type.of, offset + 32, readLength(reader, offset))
        : readArray(reader, type.of, offset, type.length);
  }
}

function readArray(reader: Reader, of: AbiType, start: number, length: number): DecodedValue[] {
  const values: DecodedValue[] = [];
  for (let position = 0; position < length; position += 1) {
    // Charged separately, because an element such as an empty tuple reads nothing.
    charge(reader, 0, 0);
    values.push(readHead(reader, of, start + position * of.headBytes, start));
  }
  return values;
}

/** Reads an offset or a length. */
function readLength(reader: Reader, offset: number): number {
  const value = BigInt(`0x${readHex(reader, offset, 32)}`);
  if (value > 0xffff_ffffn) throw new MalformedData("An offset or a length is out of bounds.");
  return Number(value);
}

function readHex(reader: Reader, offset: number, length: number): string {
  charge(reader, offset, length);
  return reader.data.toString("hex", offset, offset + length);
}

function charge(reader: Reader, offset: number, length: number): void {
  if (offset + length > reader.data.length) throw new MalformedData("The data ends too early.");
  spend(reader, Math.max(length, 32));
}

function spend({ budget }: Reader, bytes: number): void {
  budget.bytes -= bytes;
  if (budget.bytes < 0) throw new MalformedData("The data exceeds the decoding budget.");
}
