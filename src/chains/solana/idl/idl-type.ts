import { AbiProblem } from "../../decoding/abi-problem.ts";

/** A type of an IDL, prepared for decoding. */
export type IdlType =
  | { kind: "integer"; bits: number; isSigned: boolean }
  | { kind: "float"; bytes: 4 | 8 }
  | { kind: "bool" | "string" | "bytes" | "pubkey" }
  | { kind: "option"; of: IdlType; tagBytes: 1 | 4 }
  | { kind: "vec"; of: IdlType }
  | { kind: "array"; of: IdlType; length: number }
  | { kind: "defined"; name: string }
  /** A type that this parser does not know: values of it, and what follows them, are not decoded. */
  | { kind: "unknown" };

export type IdlField = { name: string; type: IdlType };

const maxNesting = 16;
const maxArray = 1_000_000;

/** Parses a type of an old or new IDL; throws an AbiProblem. */
export function readType(raw: unknown, depth = 0): IdlType {
  if (depth > maxNesting) throw new AbiProblem(`Types nest at most ${maxNesting} deep.`);
  if (typeof raw === "string") return readName(raw);
  if (typeof raw !== "object" || raw === null) throw new AbiProblem("A type must be a name or an object.");
  const { option, coption, vec, array, defined } = raw as Record<string, unknown>;
  if (option !== undefined) return { kind: "option", of: readType(option, depth + 1), tagBytes: 1 };
  if (coption !== undefined) return { kind: "option", of: readType(coption, depth + 1), tagBytes: 4 };
  if (vec !== undefined) return { kind: "vec", of: readType(vec, depth + 1) };
  if (array !== undefined) return readArray(array, depth);
  const name = typeof defined === "object" && defined !== null ? Reflect.get(defined, "name") : defined;
  if (typeof name === "string" && name.length <= 256) return { kind: "defined", name };
  return { kind: "unknown" };
}

function readName(name: string): IdlType {
  const integer = /^([ui])(8|16|32|64|128|256)$/.exec(name);
  if (integer) return { kind: "integer", bits: Number(integer[2]), isSigned: integer[1] === "i" };
  if (name === "f32" || name === "f64") return { kind: "float", bytes: name === "f32" ? 4 : 8 };
  if (name === "publicKey" || name === "pubkey") return { kind: "pubkey" };
  if (name === "bool" || name === "string" || name === "bytes") return { kind: name };
  return { kind: "unknown" };
}

function readArray(raw: unknown, depth: number): IdlType {
  const [of, length] = Array.isArray(raw) ? raw : [];
  if (!Number.isSafeInteger(length) || length < 0 || length > maxArray) {
    throw new AbiProblem("An array must have an element type and a length.");
  }
  return { kind: "array", of: readType(of, depth + 1), length };
}
