import { AbiProblem } from "./abi-problem.ts";

/** A parsed signature in the shape of a JSON ABI entry. Its types are not checked yet. */
export type RawItem = {
  type: string;
  name: string;
  inputs: RawParameter[];
  outputs: RawParameter[];
  anonymous: boolean;
  stateMutability?: string;
};

export type RawParameter = { type: string; name: string; indexed: boolean; components?: RawParameter[] };

type Cursor = { text: string; tokens: string[]; next: number; depth: number };

const maxLength = 2048;
const maxDepth = 8;
const kindsWithName = ["event", "function", "error"];
const kindsWithoutName = ["constructor", "fallback", "receive"];
const mutabilities = ["pure", "view", "nonpayable", "payable"];

/**
 * Parses a Solidity declaration, such as `event Paused(address account)`, or a bare signature, such as `Paused(address)`,
 * which is assumed to be of the given kind.
 */
export function parseSignature(text: string, kind: "event" | "function"): RawItem {
  if (text.length > maxLength) throw new AbiProblem(`A signature can have at most ${maxLength} characters.`);
  const cursor = { text, tokens: split(text), next: 0, depth: 0 };
  const [first = "", second = ""] = cursor.tokens;
  if (first === "struct") throw new AbiProblem("Structs are not supported; write the fields as a tuple.");
  const isNameless = kindsWithoutName.includes(first) && second === "(";
  const hasKind = isNameless || (kindsWithName.includes(first) && second !== "(");
  const type = hasKind ? next(cursor) : kind;
  const name = isNameless ? "" : nextWord(cursor);
  return { type, name, inputs: parseParameters(cursor), ...parseEnding(cursor) };
}

function split(text: string): string[] {
  const tokens = text.match(/[A-Za-z_$][\w$]*|\[\d*\]|[(),]|;\s*$|\S/g) ?? [];
  return tokens.at(-1)?.startsWith(";") ? tokens.slice(0, -1) : tokens;
}

function parseParameters(cursor: Cursor): RawParameter[] {
  expect(cursor, "(");
  const parameters: RawParameter[] = [];
  if (peek(cursor) !== ")") {
    do parameters.push(parseParameter(cursor));
    while (skip(cursor, ","));
  }
  expect(cursor, ")");
  return parameters;
}

function parseParameter(cursor: Cursor): RawParameter {
  if (peek(cursor) === "tuple") next(cursor);
  const components = peek(cursor) === "(" ? parseTuple(cursor) : undefined;
  let type = components ? "tuple" : nextWord(cursor);
  while (peek(cursor).startsWith("[")) type += next(cursor);
  let indexed = false;
  // None of these affects the encoding, except `indexed`.
  while (["indexed", "memory", "calldata", "storage", "payable"].includes(peek(cursor))) {
    if (next(cursor) === "indexed") indexed = true;
  }
  const name = [",", ")"].includes(peek(cursor)) ? "" : nextWord(cursor);
  return { type, name, indexed, ...(components && { components }) };
}

function parseTuple(cursor: Cursor): RawParameter[] {
  cursor.depth += 1;
  if (cursor.depth > maxDepth) throw new AbiProblem(`Tuples can be nested at most ${maxDepth} levels deep.`);
  const components = parseParameters(cursor);
  cursor.depth -= 1;
  return components;
}

/** Parses the part after the parameters. Modifiers that do not affect the encoding are skipped. */
function parseEnding(cursor: Cursor): Pick<RawItem, "outputs" | "anonymous" | "stateMutability"> {
  const ending: Pick<RawItem, "outputs" | "anonymous" | "stateMutability"> = {
    outputs: [],
    anonymous: false,
  };
  while (peek(cursor) !== "") {
    const word = nextWord(cursor);
    if (word === "returns") ending.outputs = parseParameters(cursor);
    else if (word === "anonymous") ending.anonymous = true;
    else if (mutabilities.includes(word)) ending.stateMutability = word;
    else if (!["external", "public", "virtual", "override"].includes(word))
      throw unexpectedToken(cursor, word);
  }
  return ending;
}

function peek(cursor: Cursor): string {
  return cursor.tokens[cursor.next] ?? "";
}

function next(cursor: Cursor): string {
  const token = peek(cursor);
  cursor.next += 1;
  return token;
}

function nextWord(cursor: Cursor): string {
  const token = next(cursor);
  if (/^[A-Za-z_$]/.test(token)) return token;
  throw unexpectedToken(cursor, token);
}

function skip(cursor: Cursor, symbol: string): boolean {
  const isNext = peek(cursor) === symbol;
  if (isNext) cursor.next += 1;
  return isNext;
}

function expect(cursor: Cursor, symbol: string): void {
  if (!skip(cursor, symbol)) throw unexpectedToken(cursor, peek(cursor));
}

function unexpectedToken(cursor: Cursor, token: string): AbiProblem {
  const what = token === "" ? "ends too early" : `has an unexpected ${JSON.stringify(token)}`;
  return new AbiProblem(
    `The signature ${JSON.stringify(cursor.text.slice(0, 100))} ${what}; write it like transfer(address,uint256).`,
  );
}
