import { type Document, isScalar, parseDocument, visit } from "yaml";

/** Parses YAML without custom tags and with a limit on aliases, so that a small text cannot expand. */
export function parseYaml(text: string): { value: unknown } | { problem: string } {
  try {
    // The parser compares every key with all others of its map, which takes time quadratic in the length of the text.
    const document = parseDocument(text, {
      schema: "core",
      merge: true,
      logLevel: "silent",
      uniqueKeys: false,
    });
    const problem = document.errors[0]?.message.split("\n")[0] ?? findRepeatedKey(document);
    if (problem) return { problem: problem.slice(0, 200) };
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.slice(0, 200) : "It could not be parsed" };
  }
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
