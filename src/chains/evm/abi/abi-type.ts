import { AbiProblem } from "../../decoding/abi-problem.ts";
import type { AbiParameter } from "./abi-item.ts";

/** A type prepared for decoding. `headBytes` is its size in the head of an encoding: 32 for a dynamic type. */
export type AbiType = { text: string; isDynamic: boolean; headBytes: number } & (
  | { kind: "uint" | "int"; bits: number }
  | { kind: "address" | "bool" | "string" | "bytes" }
  | { kind: "fixed_bytes"; bytes: number }
  | { kind: "array"; of: AbiType; length: number | null }
  | { kind: "tuple"; fields: AbiField[] }
);

/** A parameter or a field of a tuple. The name may be empty. */
export type AbiField = { name: string; type: AbiType };

const maxTupleDepth = 8;
const maxArrayDepth = 8;

/** Prepares parameters for decoding; throws an AbiProblem that names an unknown type. */
export function compileFields(parameters: readonly AbiParameter[], depth = 0): AbiField[] {
  return parameters.map((parameter) => ({
    name: parameter.name ?? "",
    type: compileType(parameter.type, parameter.components ?? [], depth),
  }));
}

/** The parenthesised types of a signature. */
export function fieldsText(fields: readonly AbiField[]): string {
  return `(${fields.map((field) => field.type.text).join(",")})`;
}

function compileType(text: string, components: readonly AbiParameter[], depth: number): AbiType {
  const base = text.replace(/(?:\[\d{0,9}\])+$/, "");
  const lengths = [...text.slice(base.length).matchAll(/\[(\d*)\]/g)].map(([, length]) => length ?? "");
  if (lengths.length > maxArrayDepth) {
    throw new AbiProblem(`An array has at most ${maxArrayDepth} dimensions.`);
  }
  const element = base === "tuple" ? compileTuple(components, depth + 1) : compileWord(base);
  return lengths.reduce<AbiType>((of, length) => arrayOf(of, length), element);
}

function compileTuple(components: readonly AbiParameter[], depth: number): AbiType {
  if (depth > maxTupleDepth) throw new AbiProblem(`Tuples nest at most ${maxTupleDepth} deep.`);
  const fields = compileFields(components, depth);
  const isDynamic = fields.some((field) => field.type.isDynamic);
  const headBytes = isDynamic ? 32 : fields.reduce((sum, field) => sum + field.type.headBytes, 0);
  return { kind: "tuple", text: fieldsText(fields), fields, isDynamic, headBytes };
}

function arrayOf(of: AbiType, lengthText: string): AbiType {
  const length = lengthText === "" ? null : Number(lengthText);
  const isDynamic = length === null || of.isDynamic;
  const headBytes = isDynamic ? 32 : of.headBytes * length;
  const text = `${of.text}[${length ?? ""}]`;
  return { kind: "array", text, of, length, isDynamic, headBytes };
}

function compileWord(text: string): AbiType {
  const fixed = { text, isDynamic: false, headBytes: 32 };
  if (text === "address" || text === "bool") return { ...fixed, kind: text };
  if (text === "string" || text === "bytes") return { ...fixed, kind: text, isDynamic: true };
  // A function value is an address followed by a selector.
  if (text === "function") return { ...fixed, kind: "fixed_bytes", bytes: 24 };
  const [, name, digits] = /^(uint|int|bytes)([1-9]\d{0,2})$/.exec(text) ?? [];
  const size = Number(digits);
  if (name === "bytes" && size <= 32) return { ...fixed, kind: "fixed_bytes", bytes: size };
  if ((name === "uint" || name === "int") && size <= 256 && size % 8 === 0) {
    return { ...fixed, kind: name, bits: size };
  }
  throw new AbiProblem(`The type ${JSON.stringify(text.slice(0, 100))} is unknown.`);
}
