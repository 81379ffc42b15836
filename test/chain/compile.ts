import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Abi, Hex } from "viem";

/** A contract to deploy. */
export type Artifact = { abi: Abi; bytecode: Hex };

const require = createRequire(import.meta.url);
const folder = fileURLToPath(new URL("contracts", import.meta.url));
/** Kept between runs, because compiling takes seconds. */
const cache = fileURLToPath(new URL("../../node_modules/.cache/tocsin-contracts", import.meta.url));

/** Returns our test contracts by name. Compiled once and cached by the hash of the sources. */
export async function compileContracts(): Promise<Record<string, Artifact>> {
  const input = JSON.stringify({ language: "Solidity", sources: readSources(), settings });
  const versions = [require("solc/package.json"), require("@openzeppelin/contracts/package.json")];
  const hash = createHash("sha256")
    .update(JSON.stringify(versions.map(({ version }) => version)) + input)
    .digest("hex");
  const file = join(cache, `${hash}.json`);
  const kept = await readFile(file, "utf8").catch(() => undefined);
  return JSON.parse(kept ?? (await compileInto(file, input)));
}

/** Returns a precompiled contract of OpenZeppelin. */
export function publishedContract(name: string): Artifact {
  return require(`@openzeppelin/contracts/build/contracts/${name}.json`);
}

const settings = {
  evmVersion: "cancun",
  optimizer: { enabled: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
};

function readSources(): Record<string, { content: string }> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".sol"));
  return Object.fromEntries(
    files.map((name) => [name, { content: readFileSync(join(folder, name), "utf8") }]),
  );
}

/** Test files run concurrently, so the cache file is renamed into place when it is complete. */
async function compileInto(file: string, input: string): Promise<string> {
  const text = JSON.stringify(compile(input));
  await mkdir(join(file, ".."), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text);
  await rename(draft, file);
  return text;
}

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;
};

function compile(input: string): Record<string, Artifact> {
  const findImport = (path: string) => ({ contents: readFileSync(require.resolve(path), "utf8") });
  const output: Output = JSON.parse(require("solc").compile(input, { import: findImport }));
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
  const own = Object.entries(output.contracts).filter(([file]) => !file.startsWith("@"));
  return Object.fromEntries(
    own.flatMap(([, contracts]) =>
      Object.entries(contracts).map(([name, { abi, evm }]) => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}` },
      ]),
    ),
  );
}
