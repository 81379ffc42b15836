import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const folder = fileURLToPath(new URL("../src/chains/demo/contracts/", import.meta.url));

/** The file with the compiled contracts of the demo chain. */
export const artifactsFile = `${folder}artifacts.json`;

const settings = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 10_000 },
  // Without the hash of its sources, code depends on nothing but what it does.
  metadata: { appendCBOR: false, bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
};

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>>;
};

/** What the compiled contracts depend on. The file has it, so that a test can find that it is stale without compiling. */
export function hashDemoSources(): string {
  const versions = ["solc", "@openzeppelin/contracts"].map((name) => require(`${name}/package.json`).version);
  return createHash("sha256")
    .update(JSON.stringify([versions, settings, readSources()]))
    .digest("hex");
}

function readSources(): Record<string, { content: string }> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".sol"));
  return Object.fromEntries(
    files.sort().map((name) => [name, { content: readFileSync(`${folder}${name}`, "utf8") }]),
  );
}

/** Compiles the contracts of the demo chain, and returns the text of the file. */
function compileDemoContracts(): string {
  const sources = readSources();
  const findImport = (path: string) => ({ contents: readFileSync(require.resolve(path), "utf8") });
  const input = JSON.stringify({ language: "Solidity", sources, settings });
  const output: Output = JSON.parse(require("solc").compile(input, { import: findImport }));
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
  const own = Object.keys(sources).flatMap((file) => Object.entries(output.contracts[file] ?? {}));
  const compiled = own
    .filter(([name]) => name.startsWith("Demo"))
    .map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]);
  return `${JSON.stringify({ sources: hashDemoSources(), contracts: Object.fromEntries(compiled) })}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(artifactsFile, compileDemoContracts());
  console.log(`wrote ${artifactsFile}`);
}
