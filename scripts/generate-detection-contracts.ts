import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { artifactsFile, hashSources, readSources, settings } from "../test/detection/artifacts.ts";

const require = createRequire(import.meta.url);

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>>;
};

/** Compiles the contracts of the replayed incidents. The tests use the file, because compiling takes many seconds. */
function compileContracts(): string {
  const sources = readSources();
  const findImport = (path: string) => ({ contents: readFileSync(require.resolve(path), "utf8") });
  const input = JSON.stringify({ language: "Solidity", sources, settings });
  const output: Output = JSON.parse(require("solc").compile(input, { import: findImport }));
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
  const compiled = Object.keys(sources).flatMap((file) => Object.entries(output.contracts[file] ?? {}));
  const contracts = Object.fromEntries(
    compiled.map(([name, { abi, evm }]) => [
      name,
      { abi: JSON.stringify(abi), bytecode: evm.bytecode.object },
    ]),
  );
  return `${JSON.stringify({ sources: hashSources(), contracts }, undefined, 2)}\n`;
}

writeFileSync(artifactsFile, compileContracts());
console.log(`wrote ${artifactsFile}`);
