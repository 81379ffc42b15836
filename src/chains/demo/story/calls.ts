import { readFileSync } from "node:fs";
import { onFirstUse } from "../../../lib/caching/on-first-use.ts";
import { locateFile } from "../../../lib/process/installation.ts";
import type { Hex } from "../../block.ts";
import { entryOf } from "../../evm/abi/abi.ts";
import type { AbiFunction, AbiParameter } from "../../evm/abi/abi-item.ts";
import { compileFields } from "../../evm/abi/abi-type.ts";
import { encodeValues } from "../../evm/abi/encode.ts";
import { concat } from "../../evm/values/hex.ts";
import type { Call } from "../evm/machine.ts";

type AbiEntry = AbiFunction | { type: "constructor"; inputs: AbiParameter[] } | { type: "event" | "error" };
type Artifact = { abi: AbiEntry[]; bytecode: Hex };

/** The compiled contracts. `npm run generate:demo-contracts` writes them. */
const compiled = onFirstUse(
  () =>
    JSON.parse(readFileSync(locateFile("src/chains/demo/contracts/artifacts.json"), "utf8")) as {
      contracts: Record<string, Artifact>;
    },
);

export function artifactOf(name: string): Artifact {
  const contract = compiled().contracts[name];
  if (!contract) throw new Error(`There is no contract ${name} in the demo.`);
  return contract;
}

/** Deploys a contract. */
export function create(from: Hex, name: string, args: readonly unknown[]): Call {
  const { abi, bytecode } = artifactOf(name);
  const { inputs = [] } = abi.find((entry) => entry.type === "constructor") ?? {};
  return { from, to: null, data: concat([bytecode, encodeValues(compileFields(inputs), args)]) };
}

/** Calls a function of a contract. */
export function call(from: Hex, to: Hex, name: string, functionName: string, args: readonly unknown[]): Call {
  return { from, to, data: callData(name, functionName, args) };
}

/** The data of a call of a function. */
export function callData(name: string, functionName: string, args: readonly unknown[]): Hex {
  const item = artifactOf(name).abi.find(
    (entry): entry is AbiFunction => entry.type === "function" && entry.name === functionName,
  );
  if (!item) throw new Error(`${name} has no function ${functionName}.`);
  return encodeCall(item, args);
}

export function encodeCall(item: AbiFunction, args: readonly unknown[]): Hex {
  const { key, fields } = entryOf(item);
  return concat([key, encodeValues(fields, args)]);
}
