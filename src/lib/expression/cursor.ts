import { SyntaxProblem, type Token } from "./tokens.ts";
import type { Expression } from "./tree.ts";

export const maxNodes = 500;
export const maxDepth = 32;

/** The position of the parser and the size of the tree so far. */
export type Cursor = { tokens: Token[]; next: number; nodes: number; depth: number };

/** The token that comes next; past the last one it stays at the end. */
export function peek(cursor: Cursor): Token {
  const token = cursor.tokens[cursor.next] ?? cursor.tokens.at(-1);
  return token ?? { kind: "end", text: "", at: 0 };
}

/** Consumes the next token if it is one of the wanted symbols or words (case-insensitive), and returns it. */
export function consumeAny<T extends string>(cursor: Cursor, wanted: readonly T[]): T | undefined {
  const { kind, text } = peek(cursor);
  if (kind !== "symbol" && kind !== "word") return undefined;
  const keyword = wanted.find((word) => word === text.toLowerCase());
  if (keyword !== undefined) cursor.next += 1;
  return keyword;
}

/** Consumes the required symbol. */
export function expect(cursor: Cursor, symbol: string, message: string): void {
  if (consumeAny(cursor, [symbol]) === undefined) throw new SyntaxProblem(message, peek(cursor).at);
}

/** Counts a node, or a step of a path, against the limit. */
export function count<T extends Expression>(cursor: Cursor, position: number, node: T, weight = 1): T {
  cursor.nodes += weight;
  if (cursor.nodes > maxNodes) {
    throw new SyntaxProblem(`An expression has at most ${maxNodes} parts; split it into several.`, position);
  }
  return node;
}

/** Parses one nesting level deeper. Brackets, `not` and minus nest; operator chains do not. */
export function nest<T>(cursor: Cursor, position: number, read: () => T): T {
  cursor.depth += 1;
  if (cursor.depth > maxDepth) {
    throw new SyntaxProblem(`An expression nests at most ${maxDepth} levels deep.`, position);
  }
  const result = read();
  cursor.depth -= 1;
  return result;
}
