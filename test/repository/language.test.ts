import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findDialect } from "./guards/language.ts";
import { root } from "./guards/sources.ts";
import { readTree } from "./guards/tree.ts";

/** Migrations are history; the vocabulary and its guard name the words to avoid. */
const exceptions =
  /^(src\/store\/migrations\/|CONTRIBUTING\.md$|README\.md$|LICENSE$|test\/repository\/(language\.test|guards\/language)\.ts$)/;

describe("code, comments, messages and documentation", () => {
  const paths = [...readTree()].filter(
    (path) => /\.(tsx?|mjs|md|sql|html)$/.test(path) && !exceptions.test(path),
  );

  it("contain no word of the former dialect", () => {
    expect(paths.length).toBeGreaterThan(500);
    expect(paths.flatMap((path) => findDialect(path, readFileSync(`${root}/${path}`, "utf8")))).toEqual([]);
  });
});

describe("the check of the language", () => {
  it.each([
    ["// Whoever was told of it", 2],
    ["const mostBytes = 5;", 1],
    ["/** The address is let go. */", 1],
    ["/** Lets go of the address. */", 1],
    ['throw new Error("The alarm was called off.");', 2],
    ["/** Notifies the recipients. */", 0],
  ])("finds the dialect in: %s", (line, count) => {
    expect(findDialect("src/x.ts", line)).toHaveLength(count);
  });
});
