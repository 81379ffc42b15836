// Bundles the service into `dist`, because loading more than a thousand modules takes most of the time of a start.
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { makeChunkNames } from "./bundle-chunks.mjs";

/** Packages with native code, WebAssembly or worker files of their own, and an optional one. */
const external = [/^@node-rs\/argon2/, /^evmole/, /^piscina/, "pg-native"];

/** Older builds that stay, because running processes load the rest of their code from them. */
const keptBuilds = 3;

/**
 * Builds `dist/<hash of the sources>` unless it exists, and makes `dist/current` point to it. A build appears under its name
 * only when it is complete, so that concurrent or interrupted builds do no harm. Calls `onBuild` before it builds, and returns the
 * folder of the bundle.
 */
export async function ensureBundle(root, onBuild = () => undefined) {
  const name = hashSources(root);
  const dist = join(root, "dist");
  const isMissing = !existsSync(join(dist, name));
  if (isMissing) {
    onBuild();
    mkdirSync(dist, { recursive: true });
    await build(root, join(dist, name));
  }
  if (isMissing || !pointsTo(join(dist, "current"), name)) {
    pointTo(dist, name);
    deleteOldBuilds(dist, name);
  }
  return join(dist, name);
}

/** Identifies a bundle by everything that it is made of. */
function hashSources(root) {
  const hash = createHash("sha256");
  const files = [
    ...listSources(root),
    "package-lock.json",
    "scripts/bundle.mjs",
    "scripts/bundle-chunks.mjs",
  ];
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex").slice(0, 16);
}

/** The recursive form of `readdirSync` asks for each file whether it is a folder, which takes several times as long. */
function listSources(root, folder = "src") {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listSources(root, path);
    return path.endsWith(".ts") && !path.endsWith(".test.ts") ? [path] : [];
  });
}

async function build(root, target) {
  const folder = `${target}.${process.pid}`;
  try {
    await writeBundle(root, folder, ["src/cli/index.ts"]);
    renameSync(folder, target);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes a bundle of the entries and of every worker task. A module `src/a.ts` that is an entry becomes `src/a.js`. The worker
 * tasks do not share files with the rest, because each entry more splits the code of the service into more files, and a
 * process needs time for each of them.
 */
export async function writeBundle(root, folder, entries) {
  const groups = [{ name: makeChunkNames(root) }];
  await Promise.all([
    writePart(root, folder, entries, { groups, includeDependenciesRecursively: false }),
    writePart(root, folder, findWorkerTasks(root)),
  ]);
}

async function writePart(root, folder, entries, codeSplitting = {}) {
  if (entries.length === 0) return;
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((path) => [path.replace(/\.ts$/, ""), join(root, path)])),
    platform: "node",
    external,
    plugins: [withoutForeignPositions, withoutLazyExports],
    logLevel: "silent",
  });
  await bundle.write({
    dir: folder,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    codeSplitting,
    // A worker task is found by the name of its function.
    keepNames: true,
    // Stack traces show positions in the sources, which are in the checkout anyway.
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await bundle.close();
}

/** Leaves the dependencies out of the source maps: reading their positions would take a tenth of the time of a start. */
const withoutForeignPositions = {
  name: "without-foreign-positions",
  transform: {
    filter: { id: /[\\/]node_modules[\\/]/ },
    handler: (code) => ({ code, map: { version: 3, names: [], sources: [], mappings: "" } }),
  },
};

/**
 * An import of `node:http` reads all of its exports, and one of them loads an HTTP client with web sockets that nothing here uses:
 * 60 ms in every process. `require` does not read them.
 */
const withoutLazyExports = {
  name: "without-lazy-exports",
  resolveId: {
    filter: { id: /^node:http$/ },
    handler: (id, _importer, { kind }) => (kind === "import-statement" ? `\0${id}` : null),
  },
  load: {
    filter: { id: /^\0node:http$/ },
    handler: () => 'module.exports = require("node:http");',
  },
};

/** The modules that a worker thread starts with. */
function findWorkerTasks(root) {
  const paths = listSources(root).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/\bworkerTask\(\s*"([^"]+)"/g)].map(
      ([, path]) => path,
    ),
  );
  return [...new Set(paths)];
}

function pointsTo(link, name) {
  const stat = lstatSync(link, { throwIfNoEntry: false });
  return stat?.isSymbolicLink() === true && readlinkSync(link) === name;
}

/** Replaces the link in one step. */
function pointTo(dist, name) {
  const link = join(dist, `current.${process.pid}`);
  rmSync(link, { force: true });
  symlinkSync(name, link);
  renameSync(link, join(dist, "current"));
}

/** True for a build, also for one that was interrupted. */
function isBuild(name) {
  return /^[0-9a-f]{16}(\.\d+)?$/.test(name);
}

function deleteOldBuilds(dist, current) {
  const builds = readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isBuild(entry.name) && entry.name !== current)
    .map(({ name }) => ({ name, changedAt: lstatSync(join(dist, name)).mtimeMs }))
    .sort((a, b) => b.changedAt - a.changedAt);
  for (const { name } of builds.slice(keptBuilds)) rmSync(join(dist, name), { recursive: true, force: true });
}
