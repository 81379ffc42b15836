// Builds the dashboard into web/dist when its sources have changed since the last build. Needs only Node 20.19.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "web", "dist");
const stampFile = join(dist, ".built-from");
const vite = join(root, "node_modules", "vite", "bin", "vite.js");

/**
 * Builds if needed. Returns why it failed, or undefined. An installation without development dependencies has no build
 * tool; it keeps what was built before, and the service says what is missing.
 */
export function buildDashboard() {
  if (!canBuild()) return undefined;
  const state = describeSources();
  if (isBuiltFrom(state)) return undefined;
  console.error("Building the dashboard; this happens when its sources change and takes a few seconds…");
  // Removed first and written last, so that an interrupted build is repeated.
  rmSync(stampFile, { force: true });
  const args = [vite, "build", join(root, "web"), "--logLevel", "error"];
  // Vite takes its mode from the environment, and a test runner sets another one.
  const env = { ...process.env, NODE_ENV: "production" };
  const { status, error, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8", env });
  if (error || status !== 0) return `The dashboard could not be built: ${error?.message ?? stderr}`;
  compressAssets();
  writeFileSync(stampFile, state);
  return undefined;
}

/** Returns whether there is nothing to build. */
export function isDashboardBuilt() {
  return !canBuild() || isBuiltFrom(describeSources());
}

function canBuild() {
  return existsSync(join(root, "web", "index.html")) && existsSync(vite);
}

function isBuiltFrom(state) {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === state;
}

/** Identifies the sources, and the versions of what they are built with, by their content. */
function describeSources() {
  const hash = createHash("sha256");
  const sources = filesIn(join(root, "web")).filter(
    (path) => !path.startsWith(dist) && !path.endsWith(".test.ts"),
  );
  for (const path of [...sources.sort(), join(root, "package-lock.json"), fileURLToPath(import.meta.url)]) {
    hash.update(path.slice(root.length)).update("\0").update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** Compresses once, so that the service does not have to. */
function compressAssets() {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  for (const path of filesIn(join(dist, "assets")).filter((one) => /\.(js|css|svg)$/.test(one))) {
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content, quality));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = buildDashboard();
  if (problem) {
    console.error(problem);
    process.exitCode = 1;
  }
}
