import { SyntaxProblem, type Token } from "./tokens.ts";
import type { Expression } from "./tree.ts";

export const maxNodes = 500;
export const maxDepth = 32;

/** Where the parser stands, and how much it has built so far. */
export type Cursor = { tokens: Token[]; next: number; nodes: number; depth: number };

/** The token that comes next; past the last one it stays at the end. */
export function peek(cursor: Cursor): Token {
  const token = cursor.tokens[cursor.next] ?? cursor.tokens.at(-1);
  return token ?? { kind: "end", text: "", at: 0 };
}

/** Takes the next token when it is one of these symbols or words, in any case, and tells which. */
export function takeAny<T extends string>(cursor: Cursor, wanted: readonly T[]): T | undefined {
  const { kind, text } = peek(cursor);
  if (kind !== "symbol" && kind !== "word") return undefined;
  const found = wanted.find((one) => one === text.toLowerCase());
  if (found !== undefined) cursor.next += 1;
  return found;
}

/** Takes the symbol that must come next. */
export function expect(cursor: Cursor, symbol: string, message: string): void {
  if (takeAny(cursor, [symbol]) === undefined) throw new SyntaxProblem(message, peek(cursor).at);
}

/** Counts a node of the tree, and each step of a path, against the bound. */
export function count<T extends Expression>(cursor: Cursor, at: number, node: T, weight = 1): T {
  cursor.nodes += weight;
  if (cursor.nodes > maxNodes) {
    throw new SyntaxProblem(`An expression has at most ${maxNodes} parts; split it into several.`, at);
  }
  return node;
}

/** Reads something one level further in: brackets, `not` and minus nest, while chains of operators do not. */
export function nest<T>(cursor: Cursor, at: number, read: () => T): T {
  cursor.depth += 1;
  if (cursor.depth > maxDepth) {
    throw new SyntaxProblem(`An expression nests at most ${maxDepth} levels deep.`, at);
  }
  const result = read();
  cursor.depth -= 1;
  return result;
}
