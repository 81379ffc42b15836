import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Abi } from "viem";
import type { Artifact } from "../chain/compile.ts";

const require = createRequire(import.meta.url);
const folder = fileURLToPath(new URL("contracts/", import.meta.url));

/** The file with the compiled contracts of the incidents. */
export const artifactsFile = `${folder}artifacts.json`;

export const settings = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  metadata: { appendCBOR: false, bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
};

export function readSources(): Record<string, { content: string }> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".sol"));
  const own = files.sort().map((name) => [name, { content: readFileSync(`${folder}${name}`, "utf8") }]);
  const shared = [
    ["bridge.sol", { content: readFileSync(`${folder}../../chain/contracts/bridge.sol`, "utf8") }],
  ];
  return Object.fromEntries([...own, ...shared]);
}

/** What the compiled contracts depend on. The file has it, so that a test finds that it is stale without compiling. */
export function hashSources(): string {
  const versions = ["solc", "@openzeppelin/contracts"].map((name) => require(`${name}/package.json`).version);
  return createHash("sha256")
    .update(JSON.stringify([versions, settings, readSources()]))
    .digest("hex");
}

type Stored = { sources: string; contracts: Record<string, { abi: string; bytecode: string }> };

export function storedArtifacts(): Stored {
  return JSON.parse(readFileSync(artifactsFile, "utf8"));
}

/** The compiled contracts by name. */
export function detectionArtifacts(): Record<string, Artifact> {
  return Object.fromEntries(
    Object.entries(storedArtifacts().contracts).map(([name, { abi, bytecode }]) => [
      name,
      { abi: JSON.parse(abi) as Abi, bytecode: `0x${bytecode}` },
    ]),
  );
}
