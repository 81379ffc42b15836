import { describe, expect, it } from "vitest";
import { type Catalogue, findUnclaimed, findUnlisted } from "./guards/listing.ts";
import { readSources } from "./guards/sources.ts";

/** One line per catalogue; `others` are the files in the folder that are not members. */
const catalogues: Catalogue[] = [
  { folder: "src/chains/definitions", index: "src/chains/index.ts", others: [] },
  { folder: "src/meters", index: "src/meters/index.ts", others: [], definedBy: "= defineMeter(" },
  { folder: "src/channels/providers", index: "src/channels/index.ts", others: [] },
  {
    folder: "src/inspection/proxies",
    index: "src/inspection/proxies/index.ts",
    others: ["proxy-kind.ts", "resolve-proxy.ts", "slots.ts"],
  },
  {
    folder: "src/inspection/abi-sources",
    index: "src/inspection/abi-sources/index.ts",
    others: ["abi-source.ts"],
  },
  {
    folder: "src/templates",
    index: "src/templates/index.ts",
    others: [],
    definedBy: "= defineTemplate(",
  },
  { folder: "src/jobs", index: "src/jobs/index.ts", others: ["job.ts", "runner.ts"] },
  { folder: "src/http/routes", index: "src/http/routes/index.ts", others: [], definedBy: ": Group = {" },
  { folder: "src/http/docs", index: "src/http/docs/index.ts", others: ["page.ts"], definedBy: ": DocPage" },
  {
    folder: "src/cli",
    index: "src/cli/index.ts",
    others: [],
    definedBy: "export async function run(",
  },
];

/** Indexes that are not catalogues but public entries of their folder. */
const publicEntries = ["src/pipeline/index.ts"];

describe("a catalogue", () => {
  const sources = readSources("src");

  it.each(catalogues)("lists every member of $folder", (catalogue) => {
    expect(findUnlisted(catalogue, sources)).toEqual([]);
  });

  it("has an entry in the table of this test", () => {
    const indexes = sources.filter(({ path }) => !publicEntries.includes(path));
    expect(findUnclaimed(catalogues, indexes)).toEqual([]);
  });
});

describe("the check of catalogues", () => {
  const catalogue = { folder: "src/jobs", index: "src/jobs/index.ts", others: ["job.ts"] };
  const file = (path: string, text = "") => ({ path, text });
  const job = file("src/jobs/job.ts");
  const index = file("src/jobs/index.ts", 'import { flush } from "./flush.ts";');

  it("passes when the index imports every member", () => {
    expect(findUnlisted(catalogue, [index, job, file("src/jobs/flush.ts")])).toEqual([]);
  });

  it("reports a file that the index names only in a comment", () => {
    const commented = file(index.path, `${index.text}\n// import { purge } from "./purge.ts";`);
    const sources = [commented, job, file("src/jobs/flush.ts"), file("src/jobs/purge.ts")];
    expect(findUnlisted(catalogue, sources)).toEqual([
      "src/jobs/purge.ts is not listed in src/jobs/index.ts",
    ]);
  });

  it("accepts members that are imported dynamically", () => {
    const lazy = file(index.path, 'const jobs = { flush: () => import("./flush.ts") };');
    expect(findUnlisted(catalogue, [lazy, job, file("src/jobs/flush.ts")])).toEqual([]);
  });

  it("reports a missing index, member or exception", () => {
    expect(findUnlisted(catalogue, [job])).toEqual(["src/jobs/index.ts does not exist"]);
    expect(findUnlisted(catalogue, [index, job])).toEqual(["src/jobs has no members"]);
    expect(findUnlisted(catalogue, [index, file("src/jobs/flush.ts")])).toEqual([
      "src/jobs/job.ts is excepted but does not exist",
    ]);
  });

  it("reports an index without an entry", () => {
    expect(findUnclaimed([catalogue], [index, file("src/meters/index.ts")])).toEqual([
      "src/meters/index.ts belongs to no catalogue in the table",
    ]);
  });

  it("accepts an index in the parent folder", () => {
    const chains = { folder: "src/chains/definitions", index: "src/chains/index.ts", others: [] };
    const list = file("src/chains/index.ts", 'import { a } from "./definitions/a.ts";');
    const members = [file("src/chains/definitions/a.ts"), file("src/chains/definitions/b.ts")];
    expect(findUnlisted(chains, [list, ...members])).toEqual([
      "src/chains/definitions/b.ts is not listed in src/chains/index.ts",
    ]);
  });
});
