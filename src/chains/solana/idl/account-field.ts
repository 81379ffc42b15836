import type { DecodedValue } from "../../decoding/decoded-value.ts";
import type { Definitions } from "./borsh.ts";
import { snakeCase } from "./discriminator.ts";
import type { IdlField, IdlType } from "./idl-type.ts";

/** The names and indexes that lead to a value within a decoded account, such as `reserves.0.amount`. */
export type FieldPath = readonly string[];

const maxDepth = 32;

/** Returns the type at a path; undefined if the IDL has no such field or does not know its type. */
export function typeAt(
  fields: readonly IdlField[],
  path: FieldPath,
  types: Definitions,
): Exclude<IdlType, { kind: "defined" | "option" }> | { kind: "enum" | "struct" } | undefined {
  const [name, ...rest] = path;
  const field = fields.find((field) => isNamed(field.name, name)) ?? fields[placeIn(name)];
  let type = field?.type;
  for (let depth = 0; type && depth < maxDepth; depth++) {
    if (type.kind === "option") type = type.of;
    else if (type.kind === "vec" || type.kind === "array") {
      const [index] = rest;
      if (index === undefined || !/^\d+$/.test(index)) return rest.length === 0 ? type : undefined;
      rest.shift();
      type = type.of;
    } else if (type.kind !== "defined")
      return rest.length === 0 && type.kind !== "unknown" ? type : undefined;
    else {
      const definition = types.get(type.name);
      if (definition?.kind === "alias") type = definition.type;
      else if (definition?.kind !== "struct" || rest.length === 0)
        return definition && rest.length === 0 ? { kind: definition.kind as "enum" | "struct" } : undefined;
      else return typeAt(definition.fields, rest, types);
    }
  }
  return undefined;
}

/** Returns the value at a path of decoded fields; undefined if the data does not reach it. */
export function valueAt(value: DecodedValue | undefined, path: FieldPath): DecodedValue | undefined {
  const [name, ...rest] = path;
  if (name === undefined || value === undefined) return value;
  if (Array.isArray(value)) return valueAt(value[Number(name)], rest);
  // The bytes of a list, by their place.
  if (typeof value === "string" && value.startsWith("0x") && /^\d+$/.test(name)) {
    const byte = value.slice(2 + 2 * Number(name), 4 + 2 * Number(name));
    return byte.length === 2 && rest.length === 0 ? BigInt(`0x${byte}`) : undefined;
  }
  if (typeof value !== "object") return value === "none" ? "none" : undefined;
  const key = Object.hasOwn(value, name) ? name : Object.keys(value).find((field) => isNamed(field, name));
  return key === undefined ? undefined : valueAt(value[key], rest);
}

/** Anchor and Codama write the same name in snake and in camel case. */
function isNamed(fieldName: string, wanted: string | undefined): boolean {
  return wanted !== undefined && (fieldName === wanted || snakeCase(fieldName) === snakeCase(wanted));
}

/** The place that `$0` names; an index of no field for any other name. */
function placeIn(name = ""): number {
  return /^\$\d+$/.test(name) ? Number(name.slice(1)) : -1;
}
