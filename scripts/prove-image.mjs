// Builds the image of the Dockerfile in empty folders, without a container engine: the same files, filtered by .dockerignore,
// and the same commands, one folder per stage. Then starts the service as the image does, and runs its health check. What it
// cannot show: the base image, its users, and other architectures.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, matchesGlob, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const work = mkdtempSync(join(tmpdir(), "tocsin-image-"));
const ignored = readFileSync(join(root, ".dockerignore"), "utf8").split("\n").filter(Boolean);
const stages = [];
process.on("exit", () => rmSync(work, { recursive: true, force: true, maxRetries: 5 }));

try {
  for (const [word, rest] of instructions()) build(word, rest);
  const [image] = stages.slice(-1);
  checkPackages(image.folder);
  await startImage(image);
  console.log("The image starts, is healthy, and stops.");
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** Returns the instructions with continued lines joined. */
function instructions() {
  const lines = readFileSync(join(root, "Dockerfile"), "utf8").replaceAll("\\\n", " ").split("\n");
  return lines
    .filter((line) => line.trim() && !line.startsWith("#"))
    .map((line) =>
      line
        .trim()
        .match(/^(\S+)\s+(.*)$/)
        .slice(1),
    );
}

function build(word, rest) {
  const stage = stages.at(-1);
  if (word === "FROM") return void stages.push(newStage(/ AS (\S+)/.exec(rest)?.[1]));
  if (word === "WORKDIR") stage.workdir = rest;
  else if (word === "ENV")
    for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value;
  else if (word === "COPY") copy(stage, rest.split(/\s+/));
  else if (word === "RUN") run(stage, rest);
  else if (word === "HEALTHCHECK") stage.health = JSON.parse(rest.slice(rest.indexOf("CMD") + 3));
  else if (word === "CMD") stage.command = JSON.parse(rest);
  else if (!["USER", "VOLUME", "EXPOSE", "STOPSIGNAL"].includes(word))
    throw new Error(`${word} is not known here.`);
}

function newStage(name) {
  const folder = join(work, String(stages.length));
  mkdirSync(folder, { recursive: true });
  return { name, folder, workdir: "/", env: {} };
}

/** Where a path of the image is. */
function inside({ folder, workdir }, path) {
  return join(folder, isAbsolute(path) ? path : join(workdir, path));
}

function copy(stage, words) {
  const from = words[0].startsWith("--from=") ? words.shift().slice("--from=".length) : undefined;
  const source = from ? stages.find(({ name }) => name === from) : undefined;
  if (from && !source) throw new Error(`There is no stage ${from}.`);
  const target = inside(stage, words.pop());
  for (const path of words) {
    const origin = source ? inside(source, path) : join(root, path);
    if (!existsSync(origin)) throw new Error(`COPY ${path}: there is no such file.`);
    if (!source && isIgnored(path)) throw new Error(`COPY ${path}: .dockerignore leaves it out.`);
    const isFolderTarget = words.length > 1 || target.endsWith("/");
    cpSync(origin, isFolderTarget ? join(target, basename(path)) : target, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => Boolean(source) || !isIgnored(relative(root, file)),
    });
  }
}

function isIgnored(path) {
  return ignored.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
}

/** Runs a command in the stage's folder. The users of the image do not exist here, so `chown` does nothing. */
function run(stage, command) {
  const shims = join(work, "shims");
  mkdirSync(shims, { recursive: true });
  writeFileSync(join(shims, "chown"), "#!/bin/sh\n");
  chmodSync(join(shims, "chown"), 0o755);
  const folder = inside(stage, ".");
  mkdirSync(folder, { recursive: true });
  console.log(`RUN ${command}`);
  const script = command.replaceAll(" /data", ` ${inside(stage, "/data")}`);
  const path = [shims, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, ...stage.env, PATH: path };
  const { status } = spawnSync("sh", ["-ec", script], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}.`);
}

/** The image has neither development packages nor another Node. */
function checkPackages(folder) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const there = (path) => existsSync(join(folder, "app", path));
  const wrong = Object.entries(packages)
    .filter(([path, { dev }]) => path && dev && there(path))
    .map(([path]) => path);
  wrong.push(...["runtime", "node_modules/.bin/node"].filter(there));
  if (wrong.length > 0) throw new Error(`The image must not have ${wrong.join(", ")}.`);
  const files = readdirSync(join(folder, "app"), { recursive: true, withFileTypes: true });
  const bytes = files.reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);
  console.log(`The application takes ${Math.round(bytes / 1e6)} MB.`);
}

async function startImage(stage) {
  const port = String(await freePort());
  const places = { HOST: "127.0.0.1", PORT: port, DATA_DIR: inside(stage, "/data") };
  const env = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    ...stage.env,
    ...places,
  };
  const [program, ...args] = stage.command;
  const service = spawn(program, args, {
    cwd: inside(stage, "."),
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise((resolve) => service.once("exit", resolve));
  try {
    await becomeHealthy(stage, env);
  } finally {
    service.kill("SIGTERM");
  }
  const code = await ended;
  if (code !== 0) throw new Error(`The service ended with ${code} after SIGTERM.`);
}

async function becomeHealthy({ health: [program, ...args] }, env) {
  for (let tries = 0; tries < 120; tries += 1) {
    if (spawnSync(program, args, { env }).status === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("The health check does not succeed within a minute.");
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
