import { readFileSync } from "node:fs";
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from "viem";
import { onFirstUse } from "../../../lib/caching/on-first-use.ts";
import { locateFile } from "../../../lib/process/installation.ts";
import type { Call } from "../evm/machine.ts";

type Artifact = { abi: Abi; bytecode: Hex };

/** The compiled contracts. `npm run generate:demo-contracts` writes them. */
const compiled = onFirstUse(
  () =>
    JSON.parse(readFileSync(locateFile("src/chains/demo/contracts/artifacts.json"), "utf8")) as {
      contracts: Record<string, Artifact>;
    },
);

export function artifactOf(name: string): Artifact {
  const found = compiled().contracts[name];
  if (!found) throw new Error(`There is no contract ${name} in the demo.`);
  return found;
}

/** Deploys a contract. */
export function create(from: Hex, name: string, args: readonly unknown[]): Call {
  return { from, to: null, data: encodeDeployData({ ...artifactOf(name), args }) };
}

/** Calls a function of a contract. */
export function call(from: Hex, to: Hex, name: string, functionName: string, args: readonly unknown[]): Call {
  return { from, to, data: encodeFunctionData({ abi: artifactOf(name).abi, functionName, args }) };
}
