/** What a list contains, so that many comparisons with a long list need not visit each item. */
export type ListContents = {
  integers: ReadonlySet<bigint>;
  /** Hex texts in lower case, as they compare in any case. */
  texts: ReadonlySet<string>;
  /** One item of each kind that is not searched for by its value, and all items of other kinds. */
  others: readonly unknown[];
};

const cache = new WeakMap<readonly unknown[], ListContents>();

/** Reads a list once, however often an expression compares it. */
export function contentsOf(items: readonly unknown[]): ListContents {
  const contents = cache.get(items) ?? readContents(items);
  cache.set(items, contents);
  return contents;
}

export function isHexadecimal(text: string): boolean {
  return /^0x[0-9a-fA-F]*$/.test(text);
}

/** The form in which texts are equal: hex in any case, everything else exactly. */
export function comparableText(text: string): string {
  return isHexadecimal(text) ? text.toLowerCase() : text;
}

function readContents(items: readonly unknown[]): ListContents {
  const contents = { integers: new Set<bigint>(), texts: new Set<string>(), others: new Set<unknown>() };
  const samples = new Map<string, unknown>();
  for (const item of items) {
    if (typeof item === "bigint") contents.integers.add(item);
    else if (typeof item === "string") contents.texts.add(comparableText(item));
    else if (typeof item !== "object" || item === null) contents.others.add(item);
    // Lists and groups of fields equal nothing, so that one of each stands for all.
    else samples.set(Array.isArray(item) ? "list" : "group", item);
  }
  return { ...contents, others: [...contents.others, ...samples.values()] };
}
