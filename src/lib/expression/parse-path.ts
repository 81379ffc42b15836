import { type Cursor, consumeAny, count, expect, peek } from "./cursor.ts";
import { SyntaxProblem, type Token } from "./tokens.ts";
import { type Expression, type Path, textOperators } from "./tree.ts";

/** Reserved words. An argument with such a name is accessible by its position. */
const reserved = ["and", "or", "not", "in", ...textOperators];

/** Parses `a` or `$0`, followed by any number of `.b` and `[0]`. */
export function parsePath(cursor: Cursor): Expression {
  const root = consumeToken(cursor);
  if (reserved.includes(root.text.toLowerCase())) {
    throw new SyntaxProblem(`Something is missing before ${JSON.stringify(root.text)}.`, root.at);
  }
  const path: Path = [root.text];
  for (;;) {
    const step = parseStep(cursor);
    if (step === undefined) break;
    path.push(step);
    // Counted per step, so that a long path fails at the limit.
    count(cursor, root.at, { kind: "null" });
  }
  return count(cursor, root.at, { kind: "name", path });
}

function parseStep(cursor: Cursor): string | number | undefined {
  if (consumeAny(cursor, ["."]) !== undefined) return parseMember(cursor);
  if (consumeAny(cursor, ["["]) === undefined) return undefined;
  const { kind, text, at } = consumeToken(cursor);
  if (kind !== "number" || !/^\d{1,9}$/.test(text)) {
    throw new SyntaxProblem("An index is a whole number from 0, such as [0].", at);
  }
  expect(cursor, "]", "A closing ] is missing here.");
  return Number(text);
}

function parseMember(cursor: Cursor): string {
  const { kind, text, at } = consumeToken(cursor);
  if (kind === "word" && !text.startsWith("$")) return text;
  throw new SyntaxProblem("After the dot comes the name of a field.", at);
}

function consumeToken(cursor: Cursor): Token {
  const token = peek(cursor);
  cursor.next += 1;
  return token;
}
