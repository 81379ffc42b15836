import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";

const script = new URL("../../scripts/build-dashboard.mjs", import.meta.url).pathname;
const builds = `import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("web/dist/assets", { recursive: true });
writeFileSync("web/dist/assets/app-1.js", "built in " + process.env.NODE_ENV);`;
const fails = `console.error("unexpected token"); process.exit(1);`;

/** A checkout with one source of the dashboard, and a build tool that does what the test says. */
function harness() {
  const root = mkdtempSync(join(tmpdir(), "tocsin-build-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  mkdirSync(join(root, "scripts"));
  cpSync(script, join(root, "scripts", "build-dashboard.mjs"));
  write("package-lock.json", "{}");
  write("web/index.html", "<!doctype html>");
  write("web/src/main.ts", "1");
  write("package.json", `{ "type": "module" }`);
  const run = (tool: string) => {
    write("node_modules/vite/bin/vite.js", tool);
    const env = { PATH: process.env.PATH, NODE_ENV: "test" };
    const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts", "build-dashboard.mjs")], {
      encoding: "utf8",
      env,
    });
    return { status, isBuilt: stderr.includes("Building the dashboard"), output: stderr };
  };
  return { root, write, run };
}

test("the dashboard is built once, compressed, and again when a source changes", () => {
  const { root, write, run } = harness();
  expect(run(builds)).toMatchObject({ status: 0, isBuilt: true });
  const compressed = readFileSync(join(root, "web/dist/assets/app-1.js.br"));
  expect(brotliDecompressSync(compressed).toString()).toBe("built in production");
  expect(existsSync(join(root, "web/dist/assets/app-1.js.gz"))).toBe(true);
  expect(run(fails)).toMatchObject({ status: 0, isBuilt: false });
  write("web/src/main.ts", "2");
  expect(run(builds)).toMatchObject({ status: 0, isBuilt: true });
  write("web/src/main.test.ts", "a test is not part of the dashboard");
  expect(run(builds)).toMatchObject({ status: 0, isBuilt: false });
});

test("a failed build is reported with its reason and repeated the next time", () => {
  const { run } = harness();
  expect(run(fails)).toMatchObject({
    status: 1,
    output: expect.stringContaining("could not be built: unexpected token"),
  });
  expect(run(builds)).toMatchObject({ status: 0, isBuilt: true });
});

test("an installation without the build tool keeps what was built before", () => {
  const { root, run } = harness();
  run(builds);
  rmSync(join(root, "node_modules"), { recursive: true });
  const { status } = spawnSync(process.execPath, [join(root, "scripts", "build-dashboard.mjs")]);
  expect(status).toBe(0);
  expect(existsSync(join(root, "web/dist/assets/app-1.js"))).toBe(true);
});
