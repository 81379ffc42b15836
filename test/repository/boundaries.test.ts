import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path/posix";
import { describe, expect, it } from "vitest";
import { findCycles } from "./guards/cycles.ts";
import { findFamilyLeaks, findWrongImports } from "./guards/direction.ts";
import { findBypasses } from "./guards/layers.ts";
import { findMisnamedTasks, findMisplaced } from "./guards/placement.ts";
import { importsOf, readSources, root } from "./guards/sources.ts";
import { readTree } from "./guards/tree.ts";

const sources = readSources("src");
/** The folders beside `src/chains/families.ts` that it imports from. */
const families = [
  ...readFileSync(`${root}/src/chains/families.ts`, "utf8").matchAll(/"\.\/([a-z]+)\/family\.ts"/g),
].flatMap(([, name]) => name ?? []);

/** Migrations and snapshots, of which nobody chooses the number. */
const isSeries = /^(src\/store\/migrations|test\/channels\/snapshots)\//;

describe("the source tree", () => {
  it("is not empty", () => {
    expect(sources.map((source) => source.path)).toContain("src/errors/app-error.ts");
  });

  it("imports only from the same folder or an earlier one", () => {
    expect(findWrongImports(sources)).toEqual([]);
  });

  it("imports only packages that `npm start` installs, and no development dependencies", () => {
    const { dependencies } = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as {
      dependencies: Record<string, string>;
    };
    const foreign = sources.flatMap((source) =>
      importsOf(source)
        .filter(({ specifier }) => !/^(node:|\.)/.test(specifier))
        .map(({ specifier }) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"))
        .filter((name) => !Object.hasOwn(dependencies, name))
        .map((name) => `${source.path} imports ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  it("has no circular import", () => {
    expect(findCycles(sources)).toEqual([]);
  });

  it("has no folder with more than 25 entries", () => {
    const entries = Map.groupBy(
      [...readTree()].filter((path) => !isSeries.test(path) && !basename(path).startsWith(".")),
      (path) => dirname(path),
    );
    const large = [...entries].filter(([, paths]) => paths.length > 25);
    expect(large.map(([folder, paths]) => `${folder} has ${paths.length} entries`)).toEqual([]);
  });

  it("reaches a chain family only through src/chains/families.ts", () => {
    expect(families).toContain("evm");
    expect(findFamilyLeaks(sources, families)).toEqual([]);
  });

  it("contains no test on the family of a chain in the pipeline and the entry point", () => {
    const isNeutral = ({ path }: { path: string }) => /^src\/(pipeline\/|main\.ts)/.test(path);
    const tests = sources
      .filter(isNeutral)
      .filter(({ text }) => /kind\s*[!=]==?\s*["'](evm|solana)/.test(text));
    expect(tests.map(({ path }) => path)).toEqual([]);
  });

  it("defines each worker task with the path of its own module", () => {
    expect(findMisnamedTasks(sources)).toEqual([]);
  });

  it("uses the environment, the clock, randomness, timers and its location only in their modules, and has no default export", () => {
    expect(findMisplaced(sources)).toEqual([]);
  });
});

describe("the check of circular imports", () => {
  it("reports each circle with its path, and accepts a diamond", () => {
    const file = (path: string, ...targets: string[]) => ({
      path,
      text: targets.map((target) => `import "./${target}.ts";`).join("\n"),
    });
    expect(
      findCycles([
        file("src/a.ts", "b"),
        file("src/b.ts", "c"),
        file("src/c.ts", "a"),
        file("src/d.ts", "a"),
      ]),
    ).toEqual(["src/a.ts > src/b.ts > src/c.ts > src/a.ts"]);
    expect(
      findCycles([
        file("src/a.ts", "b", "c"),
        file("src/b.ts", "d"),
        file("src/c.ts", "d"),
        file("src/d.ts"),
      ]),
    ).toEqual([]);
  });
});

describe("the check of chain families", () => {
  const leaks = (path: string, target: string) =>
    findFamilyLeaks([{ path, text: `import "${target}";` }], ["evm", "solana"]);

  it.each([
    ["src/pipeline/follow/x.ts", "../../chains/evm/reader.ts"],
    ["src/main.ts", "./chains/solana/reader.ts"],
    ["src/chains/activity.ts", "./evm/abi/abi.ts"],
    ["src/chains/rpc/x.ts", "../evm/classify-error.ts"],
    ["src/chains/solana/idl/x.ts", "../../evm/abi/abi.ts"],
    ["src/chains/evm/x.ts", "../solana/reader.ts"],
  ])("catches an import in %s of %s", (path, target) => {
    expect(leaks(path, target)).toEqual([expect.stringContaining(`${path}:1 imports src/chains/`)]);
  });

  it.each([
    ["src/chains/families.ts", "./evm/family.ts"],
    ["src/chains/evm/x.ts", "./abi/abi.ts"],
    ["src/chains/evm/x.ts", "../rpc/rpc.ts"],
    ["src/meters/x.ts", "../chains/evm/abi/abi.ts"],
    ["src/pipeline/follow/x.ts", "../../chains/families.ts"],
  ])("accepts an import in %s of %s", (path, target) => {
    expect(leaks(path, target)).toEqual([]);
  });
});

describe("the check of import directions", () => {
  const imports = (path: string, text: string) => findWrongImports([{ path, text }]);

  it.each([
    ["an import", 'import { a } from "../store/a.ts";'],
    ["a type import", 'import type { A } from "../store/a.ts";'],
    ["an import for its effects", 'import "../store/a.ts";'],
    ["a re-export", 'export * from "../store/a.ts";'],
    ["a dynamic import", 'const a = await import("../store/a.ts");'],
    ["an import over several lines", 'import {\n  a,\n} from "../store/a.ts";'],
  ])("catches %s that points forward", (_, text) => {
    expect(imports("src/meters/x.ts", `\n${text}`)).toEqual([
      expect.stringMatching(/^src\/meters\/x\.ts:[24] imports src\/store\/a\.ts$/),
    ]);
  });

  it("accepts imports of earlier folders, of the same folder, of packages and of package.json", () => {
    const targets = [
      "../../lib/a.ts",
      "../../config.ts",
      "./b.ts",
      "zod",
      "node:fs",
      "../../../package.json",
    ];
    const text = targets.map((target) => `import "${target}";`).join("\n");
    expect(imports("src/http/routes/x.ts", text)).toEqual([]);
  });

  it("ignores imports in comments and strings", () => {
    const text = '// import "../store/a.ts";\nconst a = `import "../store/a.ts"`;';
    expect(imports("src/meters/x.ts", text)).toEqual([]);
  });

  it("covers the files directly in src", () => {
    expect(imports("src/templates/x.ts", 'import "../config.ts";')).toHaveLength(1);
    expect(imports("src/wire/x.ts", 'import "../config.ts";')).toEqual([]);
    expect(imports("src/http/x.ts", 'import "../main.ts";')).toHaveLength(1);
  });

  it("rejects folders that the order does not list", () => {
    expect(imports("src/utils/x.ts", "")).toEqual(["src/utils/x.ts is in no known folder"]);
    expect(imports("src/lib/x.ts", 'import "../utils/y.ts";')).toEqual([
      "src/lib/x.ts:1 imports src/utils/y.ts",
    ]);
    expect(imports("src/lib/x.ts", 'import "../../test/y.ts";')).toEqual([
      "src/lib/x.ts:1 imports test/y.ts",
    ]);
  });
});

describe("the check of global state", () => {
  const uses = (path: string, text: string) => findMisplaced([{ path, text }]);

  it.each([
    ["process.env", "const a = process.env.A;"],
    ["process.env", 'const a = process["env"];'],
    ["process.env", "const { env: settings } = process;"],
    ["process.env", "const a = globalThis.process.env;"],
    ["Date.now", "const a = Date.now();"],
    ["Date.now", "const { now } = Date;"],
    ["new Date()", "const a = new Date();"],
    ["new Date()", "const a = Date();"],
    ["Math.random", "const a = Math.random();"],
    ["setTimeout", "setTimeout(run, 1);"],
    ["setTimeout", "globalThis.setTimeout(run, 1);"],
    ["setTimeout", 'import { setTimeout as sleep } from "node:timers/promises";'],
    ["setInterval", "const timer = setInterval(run, 1);"],
    ["import.meta", 'const folder = new URL("./pages", import.meta.url);'],
    ["import.meta", "const folder = import.meta.dirname;"],
    ["export default", "export default 1;"],
    ["export default", "export default function run() {}"],
    ["export default", "const a = 1;\nexport { a as default };"],
  ])("catches %s in: %s", (name, text) => {
    expect(uses("src/domain/x.ts", text)).toEqual([
      expect.stringMatching(`^src/domain/x.ts:[12] uses ${name.replace(/[()]/g, "\\$&")}$`),
    ]);
  });

  it("catches a worker task that names another module, or none", () => {
    const tasks = (text: string) => findMisnamedTasks([{ path: "src/a.ts", text }]);
    expect(tasks('workerTask("src/b.ts", run, 1)')).toEqual(['src/a.ts names "src/b.ts"']);
    expect(tasks("workerTask(\n  path,\n  run,\n  1)")).toEqual(["src/a.ts names path"]);
    expect(tasks('workerTask("src/a.ts", run, 1)')).toEqual([]);
  });

  it("accepts each use in its own module", () => {
    expect(uses("src/config.ts", "process.env.A;")).toEqual([]);
    expect(uses("src/lib/clock.ts", "new Date(); Date.now(); setTimeout(run, 1);")).toEqual([]);
    expect(uses("src/lib/random.ts", "Math.random();")).toEqual([]);
  });

  it("ignores code that only looks similar", () => {
    const text = `
      // process.env and Date.now()
      const date = new Date(0);
      const words = "Math.random() " + \`setTimeout(\`;
      socket.setTimeout(1);
      switch (date) { default: }
    `;
    expect(uses("src/domain/x.ts", text)).toEqual([]);
  });
});

describe("the layer check", () => {
  const bypasses = (path: string, text: string) => findBypasses([{ path, text }]);

  it("finds no import that bypasses a layer in the source", () => {
    expect(findBypasses(sources)).toEqual([]);
  });

  it("catches an import of the store in http, also of a type", () => {
    const text = 'import type { Viewer } from "../../store/viewer.ts";';
    expect(bypasses("src/http/request/x.ts", text)).toEqual([
      "src/http/request/x.ts:1 imports src/store/viewer.ts",
    ]);
  });

  it("catches an import of a pipeline file other than its public entry in the domain", () => {
    const text = 'import "../../pipeline/index.ts";\nimport "../../pipeline/watch/series.ts";';
    expect(bypasses("src/domain/alerts/x.ts", text)).toEqual([
      "src/domain/alerts/x.ts:2 imports src/pipeline/watch/series.ts",
    ]);
  });

  it("accepts the same imports in other folders", () => {
    expect(bypasses("src/domain/x.ts", 'import "../store/a.ts";')).toEqual([]);
    expect(bypasses("src/jobs/x.ts", 'import "../pipeline/watch/series.ts";')).toEqual([]);
  });
});
