import { type Document, isScalar, parseDocument, visit } from "yaml";
import { findExpansion } from "./yaml-expansion.ts";

/**
 * The parser needs time quadratic in the number of comment lines and of faulty aliases, and its slowest documents have very
 * short parts.
 */
const maxCommentLines = 10_000;
const maxReferenceMarks = 20_000;
const maxLines = 300_000;
const maxSeparators = 500_000;

/** Parses YAML without custom tags and with a limit on aliases, so that a small text cannot expand. */
export function parseYaml(text: string): { value: unknown } | { problem: string } {
  try {
    const excess = findExcess(text);
    if (excess) return { problem: excess };
    // The parser compares every key with all others of its map, which takes time quadratic in the length of the text.
    const document = parseDocument(text, {
      schema: "core",
      merge: true,
      logLevel: "silent",
      uniqueKeys: false,
    });
    const problem =
      document.errors[0]?.message.split("\n")[0] ?? findRepeatedKey(document) ?? findExpansion(document);
    if (problem) return { problem: problem.slice(0, 200) };
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.slice(0, 200) : "It could not be parsed" };
  }
}

/** Finds what the parser would take too long for. Text between quotes counts too, so that the limits are generous. */
function findExcess(text: string): string | undefined {
  const counts = { lines: 0, comments: 0, marks: 0, separators: 0 };
  let isLineStart = true;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === "#" && isLineStart) counts.comments += 1;
    if ((character === "*" || character === "&") && !" *&\n".includes(text.charAt(index + 1)))
      counts.marks += 1;
    if (",[{".includes(character)) counts.separators += 1;
    if (character === "\n") counts.lines += 1;
    isLineStart = character === "\n" || (isLineStart && (character === " " || character === "\t"));
  }
  if (counts.comments > maxCommentLines) return `It has more than ${maxCommentLines} lines of comments`;
  if (counts.marks > maxReferenceMarks) return `It has more than ${maxReferenceMarks} anchors and aliases`;
  const isLong = counts.lines > maxLines || counts.separators > maxSeparators;
  return isLong ? "It has too many lines or values; send less at once" : undefined;
}

/** Finds a key that occurs twice in a map; the second value would silently replace the first. */
function findRepeatedKey(document: Document): string | undefined {
  let repeated: string | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name) && name !== "<<") repeated = `The key ${JSON.stringify(name)} is repeated`;
        seen.add(name);
      }
      return repeated === undefined ? undefined : visit.BREAK;
    },
  });
  return repeated;
}
