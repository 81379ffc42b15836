import { type Cursor, count, expect, peek, takeAny } from "./cursor.ts";
import { SyntaxProblem, type Token } from "./tokens.ts";
import { type Expression, type Path, textOperators } from "./tree.ts";

/** Words that cannot start a name. An argument that is called so is reached by its position. */
const reserved = ["and", "or", "not", "in", ...textOperators];

/** Reads `a`, `$0` and what may follow them: `.b` and `[0]`, any number of times. */
export function parsePath(cursor: Cursor): Expression {
  const root = takeToken(cursor);
  if (reserved.includes(root.text.toLowerCase())) {
    throw new SyntaxProblem(`Something is missing before ${JSON.stringify(root.text)}.`, root.at);
  }
  const path: Path = [root.text];
  for (;;) {
    const step = parseStep(cursor);
    if (step === undefined) break;
    path.push(step);
    // Counted as it grows, so that a long path ends at the bound rather than at the end of the source.
    count(cursor, root.at, { kind: "null" });
  }
  return count(cursor, root.at, { kind: "name", path });
}

function parseStep(cursor: Cursor): string | number | undefined {
  if (takeAny(cursor, ["."]) !== undefined) return parseMember(cursor);
  if (takeAny(cursor, ["["]) === undefined) return undefined;
  const { kind, text, at } = takeToken(cursor);
  if (kind !== "number" || !/^\d{1,9}$/.test(text)) {
    throw new SyntaxProblem("An index is a whole number from 0, such as [0].", at);
  }
  expect(cursor, "]", "A closing ] is missing here.");
  return Number(text);
}

function parseMember(cursor: Cursor): string {
  const { kind, text, at } = takeToken(cursor);
  if (kind === "word" && !text.startsWith("$")) return text;
  throw new SyntaxProblem("After the dot comes the name of a field.", at);
}

function takeToken(cursor: Cursor): Token {
  const token = peek(cursor);
  cursor.next += 1;
  return token;
}
