import type { Hex } from "../../block.ts";
import { AbiProblem } from "../../decoding/abi-problem.ts";
import { bytesOf, toHex } from "../values/hex.ts";
import type { AbiField, AbiType } from "./abi-type.ts";

/**
 * Encodes values: integers as bigint or number, bytes and addresses as hexadecimal text, tuples as lists or objects. Throws an
 * AbiProblem that names a value of the wrong type.
 */
export function encodeValues(fields: readonly AbiField[], values: readonly unknown[]): Hex {
  return toHex(encodeFields(fields, values));
}

function encodeFields(fields: readonly AbiField[], values: readonly unknown[]): Buffer {
  if (fields.length !== values.length)
    throw new AbiProblem(`${fields.length} values are needed, but ${values.length} were given.`);
  return join(fields.map(({ type }, index) => ({ type, bytes: encodeValue(type, values[index]) })));
}

/** Dynamic values come after all others, which hold their offset in place of them. */
function join(parts: readonly { type: AbiType; bytes: Buffer }[]): Buffer {
  const headBytes = parts.reduce((sum, { type }) => sum + type.headBytes, 0);
  const heads: Buffer[] = [];
  const tails: Buffer[] = [];
  let offset = headBytes;
  for (const { type, bytes } of parts) {
    heads.push(type.isDynamic ? word(BigInt(offset)) : bytes);
    if (!type.isDynamic) continue;
    tails.push(bytes);
    offset += bytes.length;
  }
  return Buffer.concat([...heads, ...tails]);
}

function encodeValue(type: AbiType, value: unknown): Buffer {
  switch (type.kind) {
    case "uint":
    case "int":
      return encodeInteger(type, value);
    case "bool":
      if (typeof value !== "boolean") throw wrongType(value, type);
      return word(value ? 1n : 0n);
    case "address":
      return Buffer.concat([Buffer.alloc(12), bytesIn(value, type, 20)]);
    case "fixed_bytes":
      return padded(bytesIn(value, type, type.bytes));
    case "bytes":
      return withLength(bytesIn(value, type));
    case "string":
      if (typeof value !== "string") throw wrongType(value, type);
      return withLength(Buffer.from(value));
    case "array":
      return encodeArray(type, value);
    case "tuple":
      return encodeFields(type.fields, partsOf(type, value));
  }
}

function encodeInteger(type: AbiType & { kind: "uint" | "int" }, value: unknown): Buffer {
  if (typeof value !== "bigint" && !Number.isSafeInteger(value)) throw wrongType(value, type);
  const integer = BigInt(value as bigint | number);
  const cut = type.kind === "uint" ? BigInt.asUintN(type.bits, integer) : BigInt.asIntN(type.bits, integer);
  if (cut !== integer) throw new AbiProblem(`${integer} does not fit into ${type.text}.`);
  return word(BigInt.asUintN(256, integer));
}

function encodeArray(type: AbiType & { kind: "array" }, value: unknown): Buffer {
  if (!Array.isArray(value)) throw wrongType(value, type);
  if (type.length !== null && type.length !== value.length)
    throw new AbiProblem(`${type.text} needs ${type.length} values, but ${value.length} were given.`);
  const content = join(value.map((element) => ({ type: type.of, bytes: encodeValue(type.of, element) })));
  return type.length === null ? Buffer.concat([word(BigInt(value.length)), content]) : content;
}

function partsOf(type: AbiType & { kind: "tuple" }, value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) throw wrongType(value, type);
  return type.fields.map(({ name }) => (Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined));
}

function bytesIn(value: unknown, type: AbiType, length?: number): Buffer {
  if (typeof value !== "string" || !/^0x([0-9a-f]{2})*$/i.test(value)) throw wrongType(value, type);
  const bytes = bytesOf(value);
  if (length !== undefined && bytes.length !== length)
    throw new AbiProblem(`${type.text} needs ${length} bytes, but ${bytes.length} were given.`);
  return bytes;
}

function withLength(bytes: Buffer): Buffer {
  return Buffer.concat([word(BigInt(bytes.length)), padded(bytes)]);
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)]);
}

function word(value: bigint): Buffer {
  return bytesOf(toHex(value, { size: 32 }));
}

function wrongType(value: unknown, { text }: AbiType): AbiProblem {
  return new AbiProblem(`${String(value).slice(0, 80)} is not a valid ${text}.`);
}
