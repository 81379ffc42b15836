// Runs before `npm start`, `npm test` and `tocsin`: installs dependencies that are missing, outdated or incomplete, bundles the
// service if the sources changed, and reports why this machine cannot run Tocsin. Needs only Node 20.19.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isNodeAtLeast, NewerNode } from "./newer-node.mjs";
import { prunePackages } from "./prune-packages.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const stampFile = join(modules, ".tocsin-installed");
const newerNode = new NewerNode(root);
/** Tests and benchmarks need the development dependencies; the service and its dashboard do not. */
const isForTests = /^pre(test|bench)/.test(process.env.npm_lifecycle_event ?? "");

class SetupError extends Error {}

try {
  await setUp();
  // Two builds that share nothing; each of them uses one core for some seconds.
  await Promise.all([buildDashboard(), bundle()]);
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
}

async function setUp() {
  if (!isNodeAtLeast(20, 19)) {
    throw new SetupError(
      `Tocsin needs Node 20.19 or later, and this is ${process.version}. Install Node 24.`,
    );
  }
  const lock = read(join(root, "package-lock.json"));
  if (lock === undefined) throw new SetupError("package-lock.json is missing. Check the files out again.");
  const arePackagesMissing = !isInstalled(lock) && !isInstalledByHand(lock);
  if (arePackagesMissing || newerNode.isMissing) await install(lock, arePackagesMissing);
  newerNode.linkIfInstalled();
  if (newerNode.isAvailable) return;
  throw new SetupError(
    `Tocsin runs on Node 22.18 or later, and this is ${process.version}. A newer one is installed on Linux (x64 and arm64), ` +
      "but is not there. Install Node 24.",
  );
}

/** The bundler is one of the dependencies. */
async function bundle() {
  try {
    const { ensureBundle } = await import("./bundle.mjs");
    await ensureBundle(root, () => console.error("Bundling the service…"));
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(error?.code)) throw error;
    throw new SetupError(
      `The service cannot be bundled, because ${error.path ?? root} is not writable. Make it writable, or run the sources ` +
        "with node src/cli/index.ts serve.",
    );
  }
}

/** The script is part of the sources and may be missing in a partial checkout. A build runs beside that of the service. */
async function buildDashboard() {
  const script = join(root, "scripts", "build-dashboard.mjs");
  if (!existsSync(script)) return;
  const { isDashboardBuilt } = await import("./build-dashboard.mjs");
  if (isDashboardBuilt()) return;
  const build = spawn(newerNode.executable, [script], { stdio: ["ignore", "ignore", "inherit"] });
  const [status] = await once(build, "exit");
  if (status !== 0) throw new SetupError("The dashboard could not be built; the reason is above.");
}

/** An installation for tests is enough for the service. */
function isInstalled(lock) {
  const installed = read(stampFile);
  return installed === describeInstall(lock, true) || (!isForTests && installed === describeInstall(lock));
}

/** Identifies an install by platform, lock file and whether it has the development dependencies. */
function describeInstall(lock, hasDevelopment = false) {
  const hash = createHash("sha256").update(lock).digest("hex");
  return `${process.platform}-${process.arch} ${hash}${hasDevelopment ? " with development" : ""}`;
}

/** npm writes its own lock file at the end of an install; if it matches ours, a manual `npm ci` is complete. */
function isInstalledByHand(lock) {
  const list = read(join(modules, ".package-lock.json"));
  if (list === undefined) return false;
  // A production install of ours that tests find has the same file, but lacks what is only needed for types.
  if (isForTests && read(stampFile) === describeInstall(lock)) return false;
  const wanted = JSON.parse(lock).packages;
  const installed = JSON.parse(list).packages;
  return (
    Object.entries(wanted).every(([path, entry]) => isOptional(path, entry) || path in installed) &&
    Object.entries(installed).every(([path, entry]) => fits(entry, wanted[path]))
  );
}

/** Development dependencies may be missing (`npm ci --omit=dev`), except for tests. */
function isOptional(path, entry) {
  if (path === "" || entry.optional || entry.devOptional) return true;
  return !isForTests && entry.dev === true;
}

function fits(entry, wanted) {
  if (entry.version !== wanted?.version || entry.integrity !== wanted.integrity) return false;
  return allows(entry.os, process.platform) && allows(entry.cpu, process.arch);
}

function allows(names, own) {
  return names === undefined || [names].flat().some((name) => name === own || name.startsWith("!"));
}

/** Installs what is missing. Two processes of npm use two cores. */
async function install(lock, arePackagesMissing) {
  const what = isForTests ? "Tocsin's dependencies and those of its tests" : "Tocsin's dependencies";
  console.error(`Installing ${what}; this happens once and takes about a minute…`);
  await showingSeconds(() =>
    Promise.all([
      arePackagesMissing && installPackages(lock),
      newerNode.isMissing && newerNode.install(runNpm),
    ]),
  );
}

/** Removes the stamp first and writes it last, so that an interrupted install is repeated. */
async function installPackages(lock) {
  rmSync(stampFile, { force: true });
  await runNpm(["ci", isForTests ? "--include=dev" : "--omit=dev"], root);
  if (!isForTests) prunePackages(modules);
  writeFileSync(stampFile, describeInstall(lock, isForTests));
}

/** Takes from npm's cache what is there, unless it does not know a version yet. */
async function runNpm(args, cwd) {
  const first = await run(npmCommand([...args, "--prefer-offline"]), cwd);
  const isUnknown = first.status !== 0 && /\b(ETARGET|E404)\b/.test(first.stderr);
  const result = isUnknown ? await run(npmCommand(args), cwd) : first;
  if (result.error || result.status !== 0) throw explainFailure(result);
}

function npmCommand(args) {
  const quiet = ["--no-audit", "--no-fund", "--no-progress", "--loglevel=error"];
  // The default retries of npm take more than a minute without a network.
  const fastRetries = ["--fetch-retries=3", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=5000"];
  const all = [...args, ...quiet, ...fastRetries];
  const npm = process.env.npm_execpath ?? "";
  return basename(npm) === "npm-cli.js" ? [newerNode.executable, npm, ...all] : ["npm", ...all];
}

async function run([file, ...args], cwd) {
  const child = spawn(file, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  try {
    const [status, signal] = await once(child, "close");
    return { status, signal, stderr };
  } catch (error) {
    return { error, stderr };
  }
}

/** Shows a person at a terminal that the work goes on. */
async function showingSeconds(work) {
  if (!process.stderr.isTTY) return work();
  const startedAt = Date.now();
  const show = () => process.stderr.write(`\r  ${Math.round((Date.now() - startedAt) / 1000)} s`);
  const timer = setInterval(show, 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    process.stderr.write("\r\x1b[K");
  }
}

function explainFailure({ error, status, signal, stderr }) {
  if (error?.code === "ENOENT")
    return new SetupError("npm was not found. Install it, or install Node 24, which brings it.");
  const code =
    /\bE(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH|RR_SOCKET_TIMEOUT)\b/.exec(
      stderr ?? "",
    )?.[0];
  if (code) {
    return new SetupError(
      `Tocsin's dependencies could not be downloaded: the package registry cannot be reached (${code}). ` +
        "Check the network or npm's proxy and registry settings, then run the same command again.",
    );
  }
  const errors = (stderr ?? "")
    .split("\n")
    .filter((line) => line.startsWith("npm error") && !line.includes("complete log"));
  const reason = errors
    .slice(0, 5)
    .map((line) => line.slice("npm error ".length).trim())
    .join(" ");
  return new SetupError(
    `Tocsin's dependencies could not be installed (npm ci ended with ${error?.message ?? signal ?? status}): ${reason || "npm printed no error"}`,
  );
}

function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
