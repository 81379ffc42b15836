import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { makeDescriber } from "./source-positions.ts";

test("a call in a bundle is described by its position in the sources, and one without a map as it is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-positions-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // The first character of the third line comes from the fifth line of the source.
  const map = { version: 3, names: [], sources: ["../src/a.ts"], mappings: ";;AAIA" };
  await writeFile(join(folder, "a.js.map"), JSON.stringify(map));
  const describe = makeDescriber();
  const siteIn = (file: string) => {
    const url = pathToFileURL(join(folder, file)).href;
    return {
      getFileName: () => url,
      getLineNumber: () => 3,
      getColumnNumber: () => 1,
      toString: () => `open (${url}:3:1)`,
    };
  };
  expect(describe(siteIn("a.js"))).toBe(`open (${join(folder, "..", "src", "a.ts")}:5:1)`);
  expect(describe(siteIn("b.js"))).toContain("b.js:3:1");
  expect(describe({ ...siteIn("a.js"), getFileName: () => undefined as never })).toContain("a.js:3:1");
});
