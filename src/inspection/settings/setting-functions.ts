import type { PinnedBlock } from "../../chains/chain-client.ts";
import type { AbiIndex } from "../../chains/evm/abi/abi.ts";
import { readCall } from "../../meters/state-results.ts";
import { returnedValue } from "../classify/call-results.ts";
import { namesSettingAddress, namesSettingNumber, namesState, namesSwitch } from "./setting-words.ts";

const maxFunctions = 12;
const maxCandidates = 40;

/** Finds functions without arguments that return a setting. They show changes that no event reports. */
export async function findSettingFunctions(
  pinned: PinnedBlock,
  { address, abi, isLeftOut }: { address: string; abi: AbiIndex; isLeftOut(name: string): boolean },
): Promise<string[]> {
  const candidates = [...abi.functions.values()].flatMap(([entry]) => {
    if (entry?.item.type !== "function") return [];
    const { name, inputs, outputs, stateMutability } = entry.item;
    const [output, ...others] = outputs;
    const isGetter = stateMutability === "view" && inputs.length === 0 && others.length === 0;
    if (!isGetter || !output || isLeftOut(name) || !isSetting(name, output.type)) return [];
    return [`${name}() view returns (${output.type})`];
  });
  const tried = candidates.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, maxCandidates);
  const results = await pinned.read(tried.map((declaration) => readCall(address, declaration)));
  return tried.filter((declaration, index) => isOneWord(results[index], declaration)).slice(0, maxFunctions);
}

/** Addresses that are named like settings come first, and others last: few of them ever change. */
function rankOf(declaration: string): number {
  if (!/\((address|bytes32)\)$/.test(declaration)) return 1;
  return namesSettingAddress(declaration.slice(0, declaration.indexOf("("))) ? 0 : 2;
}

function isSetting(name: string, type: string): boolean {
  if (type === "address" || type === "bytes32") return namesSettingAddress(name) || namesState(name);
  if (type === "bool") return namesSwitch(name);
  return /^uint/.test(type) && !type.endsWith("]") && namesSettingNumber(name);
}

/** The names of functions in code without a published source are guessed: the value must be of the type that they promise. */
function isOneWord(result: Parameters<typeof returnedValue>[0], declaration: string): boolean {
  if (!result?.ok || result.data.length !== 66) return false;
  const isAddress = declaration.endsWith("(address)");
  if (isAddress && !/^0x0{24}/.test(result.data)) return false;
  return returnedValue(result, declaration) !== undefined;
}
