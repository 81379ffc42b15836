import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chains } from "../../src/chains/index.ts";
import { settingNames } from "../../src/config.ts";
import { findBrokenLinks, findMissingPaths, findUnknownScripts } from "./guards/citations.ts";
import { root } from "./guards/sources.ts";
import { readTree } from "./guards/tree.ts";

const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");

describe("the documentation", () => {
  const tree = readTree();
  const scripts = Object.keys(JSON.parse(read("package.json")).scripts);
  const pages = [...tree]
    .filter((path) => /^([^/]+|docs\/.+)\.md$/.test(path))
    .map((path) => ({ path, text: read(path) }));

  it("is not empty", () => {
    expect(pages.map((page) => page.path)).toContain("CONTRIBUTING.md");
  });

  it.each(pages)("cites only what exists in $path", (page) => {
    expect(findMissingPaths(page, tree)).toEqual([]);
    expect(findBrokenLinks(page, tree)).toEqual([]);
    expect(findUnknownScripts(page, scripts)).toEqual([]);
  });

  it.runIf(existsSync(`${root}/.env.example`))("lists only settings that the service has", () => {
    const ofChains = chains.flatMap(({ chain }) =>
      ["RPC_", "RPC_BUDGET_", "RPC_POLL_"].map((prefix) => prefix + chain.toUpperCase()),
    );
    const known = [...settingNames, ...ofChains];
    const offered = [...read(".env.example").matchAll(/^#? ?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
    expect(offered.length).toBeGreaterThan(0);
    expect(offered.filter((name) => !known.includes(name ?? ""))).toEqual([]);
  });
});

describe("the citation check", () => {
  const tree = new Set(["README.md", "src", "src/lib", "src/lib/clock.ts", "docs", "docs/api.md"]);
  const missing = (text: string) => findMissingPaths({ path: "README.md", text }, tree);

  it("accepts files, folders, line numbers and placeholders in folders that exist", () => {
    const paths = [
      "src/lib/clock.ts",
      "./src/lib/",
      "src/lib/clock.ts:3",
      "src/lib/<name>.ts",
      "src/**/*.test.ts",
    ];
    expect(missing(paths.map((path) => `\`${path}\``).join(" "))).toEqual([]);
  });

  it.each([
    ["`src/lib/gone.ts`", "src/lib/gone.ts"],
    ["`node src/gone.ts serve`", "src/gone.ts"],
    ["`src/meters/<type>.ts`", "src/meters"],
    ["`web/`", "web"],
    ["`CHANGELOG.md`", "CHANGELOG.md"],
    ["```sh\nnode bench/index.ts\n```", "bench/index.ts"],
  ])("catches %s", (text, path) => {
    expect(missing(text)).toEqual([`README.md cites ${path}`]);
  });

  it("ignores prose and code that is not a path of the repository", () => {
    expect(missing("src/gone.ts `GET /src/gone` `PORT` `application/json` `index.ts` `data/mail`")).toEqual(
      [],
    );
  });

  it("resolves links relative to their page", () => {
    const links = (path: string, text: string) => findBrokenLinks({ path, text }, tree);
    expect(
      links("docs/api.md", "[a](../README.md#top) [b](api.md) [c](/docs/) [d](https://x.test/y)"),
    ).toEqual([]);
    expect(links("docs/api.md", "[a](README.md)")).toEqual(["docs/api.md links to README.md"]);
    expect(links("README.md", "![a](docs/a.png)\n\n[b]: gone.md")).toEqual([
      "README.md links to docs/a.png",
      "README.md links to gone.md",
    ]);
  });

  it("reports a script that package.json does not have", () => {
    const calls = (text: string) => findUnknownScripts({ path: "README.md", text }, ["start", "check"]);
    expect(calls("`npm start`, `npm run check`, `npm ci`, `npm --version`")).toEqual([]);
    expect(calls("`npm run deploy`\n```\nnpm test\n```")).toEqual([
      "README.md calls npm test",
      "README.md calls npm run deploy",
    ]);
    expect(calls("`npm run ci`")).toEqual(["README.md calls npm run ci"]);
  });
});
