import { type DecodedValue, MalformedData } from "../../decoding/decoded-value.ts";
import { addressOfBytes } from "../accounts/address.ts";
import type { IdlField, IdlType } from "./idl-type.ts";

/** A named type of an IDL. */
export type Definition =
  | { kind: "struct"; fields: IdlField[] }
  | { kind: "enum"; variants: { name: string; fields: IdlField[] }[] }
  | { kind: "alias"; type: IdlType };

export type Definitions = Pick<ReadonlyMap<string, Definition>, "get" | "size">;

type Reader = { data: Buffer; at: number; left: number; types: Definitions };

/** Types may be recursive, with a depth that the data controls. */
const maxDepth = 32;

/**
 * Decodes Borsh fields, or throws MalformedData. The data is untrusted, so lengths are checked against it and the number of
 * values is bounded. Trailing data is ignored.
 */
export function decodeBorsh(
  fields: readonly IdlField[],
  data: Buffer,
  types: Definitions,
): Record<string, DecodedValue> {
  // The length of a value of an unknown type is unknown too, so that only what comes before it is decoded.
  return decodeUntil(fields, data, types, UnknownType);
}

/** The same for data of which only the first bytes were read: the fields that they hold. */
export function decodeBorshPrefix(
  fields: readonly IdlField[],
  data: Buffer,
  types: Definitions,
): Record<string, DecodedValue> {
  return decodeUntil(fields, data, types, MalformedData);
}

function decodeUntil(
  fields: readonly IdlField[],
  data: Buffer,
  types: Definitions,
  end: typeof MalformedData,
): Record<string, DecodedValue> {
  const reader: Reader = { data, at: 0, left: 4 * data.length + 4096, types };
  const readFields: IdlField[] = [];
  const values: DecodedValue[] = [];
  try {
    for (const field of fields) {
      values.push(readValue(reader, field.type, 0));
      readFields.push(field);
    }
  } catch (error) {
    if (!(error instanceof end)) throw error;
  }
  return byNameAndPlace(readFields, values);
}

class UnknownType extends MalformedData {
  override name = "UnknownType";
}

function readFields(
  reader: Reader,
  fields: readonly IdlField[],
  depth: number,
): Record<string, DecodedValue> {
  return byNameAndPlace(
    fields,
    fields.map(({ type }) => readValue(reader, type, depth)),
  );
}

function byNameAndPlace(
  fields: readonly IdlField[],
  values: readonly DecodedValue[],
): Record<string, DecodedValue> {
  const named = fields.map(({ name }, index): [string, DecodedValue] => [name, values[index] ?? ""]);
  const placed = values.map((value, index): [string, DecodedValue] => [`$${index}`, value]);
  return Object.fromEntries([...named, ...placed]);
}

function readValue(reader: Reader, type: IdlType, depth: number): DecodedValue {
  if (depth > maxDepth || --reader.left < 0) throw new MalformedData("The data exceeds the decoding budget.");
  switch (type.kind) {
    case "integer":
      return readInteger(reader, type.bits, type.isSigned);
    case "float":
      return String(
        type.bytes === 4 ? readBytes(reader, 4).readFloatLE() : readBytes(reader, 8).readDoubleLE(),
      );
    case "bool":
      return readBytes(reader, 1)[0] !== 0;
    case "pubkey":
      return addressOfBytes(readBytes(reader, 32));
    case "string":
      return readBytes(reader, readLength(reader)).toString("utf8");
    case "bytes":
      return `0x${readBytes(reader, readLength(reader)).toString("hex")}`;
    case "option":
      return readBytes(reader, type.tagBytes).some(Boolean) ? readValue(reader, type.of, depth + 1) : "none";
    case "vec":
      return readMany(reader, type.of, readLength(reader), depth);
    case "array":
      return readMany(reader, type.of, type.length, depth);
    case "defined":
      return readDefined(reader, type.name, depth);
    case "unknown":
      throw new UnknownType("The type of a value is unknown.");
  }
}

function readMany(reader: Reader, of: IdlType, count: number, depth: number): DecodedValue {
  if (of.kind === "integer" && of.bits === 8 && !of.isSigned) {
    return `0x${readBytes(reader, count).toString("hex")}`;
  }
  const values: DecodedValue[] = [];
  for (let index = 0; index < count; index++) values.push(readValue(reader, of, depth + 1));
  return values;
}

function readDefined(reader: Reader, name: string, depth: number): DecodedValue {
  const definition = reader.types.get(name);
  if (!definition) throw new UnknownType(`The IDL does not define ${name}.`);
  if (definition.kind === "alias") return readValue(reader, definition.type, depth + 1);
  if (definition.kind === "struct") return readFields(reader, definition.fields, depth + 1);
  const variant = definition.variants[readBytes(reader, 1)[0] ?? 0];
  if (!variant) throw new MalformedData(`${name} has no such variant.`);
  if (variant.fields.length === 0) return variant.name;
  return { variant: variant.name, ...readFields(reader, variant.fields, depth + 1) };
}

function readInteger(reader: Reader, bits: number, isSigned: boolean): bigint {
  const value = BigInt(
    `0x${Buffer.from(readBytes(reader, bits / 8))
      .reverse()
      .toString("hex")}`,
  );
  return isSigned ? BigInt.asIntN(bits, value) : value;
}

function readLength(reader: Reader): number {
  return readBytes(reader, 4).readUInt32LE();
}

function readBytes(reader: Reader, length: number): Buffer {
  const end = reader.at + length;
  if (end > reader.data.length) throw new MalformedData("The data ends too early.");
  const bytes = reader.data.subarray(reader.at, end);
  reader.at = end;
  return bytes;
}
