import { decimalOfNumber } from "./decimal.ts";
import { printPath } from "./print.ts";
import { type Rational, rationalOf } from "./rational.ts";
import type { Path } from "./tree.ts";

/** The variables of an expression: arguments by name and, as `$0`, by position. */
export type Scope = Readonly<Record<string, unknown>>;

/** A value during evaluation. `hex` is a literal that is a number or text depending on the other operand. */
export type Value =
  | { kind: "number"; value: Rational; isLiteral: boolean }
  | { kind: "hex"; text: string }
  | { kind: "text"; text: string }
  | { kind: "boolean"; value: boolean }
  | { kind: "null" }
  | { kind: "list"; items: readonly unknown[] }
  | { kind: "group" }
  | Unknown;

/** The third truth value, with its reason. */
export type Unknown = { kind: "unknown"; reason: string };

export function unknown(reason: string): Unknown {
  return { kind: "unknown", reason };
}

/** Resolves a path in the scope. Only own properties are found, so `constructor` is an ordinary name. */
export function lookUp(scope: Scope, path: Path): Value {
  let found: unknown = scope;
  for (const step of path) {
    found = typeof step === "number" ? elementOf(found, step) : memberOf(found, step);
  }
  const value = toValue(found);
  return value.kind === "unknown" ? unknown(`${printPath(path)} ${value.reason}`) : value;
}

/** `[0]` also selects the first field of a tuple, which the decoder stores as `$0`. */
function elementOf(parent: unknown, index: number): unknown {
  return Array.isArray(parent) ? parent[index] : memberOf(parent, `$${index}`);
}

function memberOf(parent: unknown, name: string): unknown {
  if (typeof parent !== "object" || parent === null) return undefined;
  if (Array.isArray(parent)) return name === "length" ? parent.length : undefined;
  return Object.hasOwn(parent, name) ? Reflect.get(parent, name) : undefined;
}

/** Converts a value of the scope. The reason of an unknown has no subject; the caller adds it. */
export function toValue(value: unknown): Value {
  if (value === null) return { kind: "null" };
  if (Array.isArray(value)) return { kind: "list", items: value };
  switch (typeof value) {
    case "string":
      return { kind: "text", text: value };
    case "boolean":
      return { kind: "boolean", value: value };
    case "object":
      return { kind: "group" };
    case "bigint":
      return toNumber(rationalOf(value));
    case "number":
      return toNumber(decimalOfNumber(value));
    default:
      return unknown("is not known here");
  }
}

function toNumber(value: Rational | undefined): Value {
  if (value === undefined) return unknown("is not a number that can be used");
  return { kind: "number", value, isLiteral: false };
}
