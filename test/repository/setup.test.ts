import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const script = new URL("../../scripts/setup.mjs", import.meta.url).pathname;

/** A checkout with one dependency, and an npm that does what the test says instead of a real install. */
function harness() {
  const root = mkdtempSync(join(tmpdir(), "tocsin-setup-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "scripts"));
  cpSync(script, join(root, "scripts", "setup.mjs"));
  const writeLock = (version: string, file = "package-lock.json") =>
    writeFileSync(
      join(root, file),
      JSON.stringify({ packages: { "node_modules/one": { version, integrity: `sha512-${version}` } } }),
    );
  const writeModules = () => {
    mkdirSync(join(root, "node_modules", ".bin"), { recursive: true });
    symlinkSync(process.execPath, join(root, "node_modules", ".bin", "node"));
  };
  const run = (npm: string) => {
    const npmFile = join(root, "npm-cli.js");
    writeFileSync(npmFile, npm);
    const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts", "setup.mjs")], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, npm_execpath: npmFile },
    });
    return { status, output: stderr };
  };
  writeLock("1.0.0");
  return { root, writeLock, writeModules, run };
}

const installs = `require("node:fs").mkdirSync("node_modules", { recursive: true })`;
const fails = (code: string) => `console.error("npm error code ${code}"); process.exit(1)`;
const installing = "Installing Tocsin's dependencies; this happens once and takes about a minute…\n";

test("setup installs missing dependencies once and prints nothing afterwards", () => {
  const { run, writeLock } = harness();
  expect(run(installs)).toEqual({ status: 0, output: installing });
  expect(run(fails("ENEVER"))).toEqual({ status: 0, output: "" });
  writeLock("1.0.1");
  expect(run(installs)).toEqual({ status: 0, output: installing });
});

test("setup installs again after an interrupted install", () => {
  const { root, run, writeModules } = harness();
  writeModules();
  expect(run(`process.kill(process.pid, "SIGKILL")`)).toMatchObject({
    status: 1,
    output: expect.stringContaining("could not be installed (npm ci ended with SIGKILL)"),
  });
  expect(existsSync(join(root, "node_modules", ".tocsin-installed"))).toBe(false);
  expect(run(installs)).toEqual({ status: 0, output: installing });
});

test("setup accepts a complete manual install, but not one of other versions", () => {
  const { run, writeLock, writeModules } = harness();
  writeModules();
  writeLock("1.0.0", "node_modules/.package-lock.json");
  expect(run(fails("ENEVER"))).toEqual({ status: 0, output: "" });
  writeLock("0.9.0", "node_modules/.package-lock.json");
  expect(run(installs)).toEqual({ status: 0, output: installing });
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

test("setup builds the dashboard, and fails with its reason if that is not possible", () => {
  const { root, run } = harness();
  const build = join(root, "scripts", "build-dashboard.mjs");
  writeFileSync(build, `console.error("Building…")`);
  expect(run(installs)).toEqual({ status: 0, output: `${installing}Building…\n` });
  writeFileSync(build, `console.error("No space left."); process.exit(1)`);
  expect(run(installs)).toEqual({
    status: 1,
    output: "No space left.\nThe dashboard could not be built; the reason is above.\n",
  });
});
