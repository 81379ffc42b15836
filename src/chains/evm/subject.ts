import type { Offload } from "../../lib/concurrency/worker-pool.ts";
import type { Subject } from "../activity.ts";
import type { StoredContract } from "../family.ts";
import { type AbiIndex, mergeAbis } from "./abi/abi.ts";
import { compileStoredAbi } from "./abi/stored-abi.ts";

declare module "../activity.ts" {
  interface Subject {
    /** On EVM chains: the contract's ABI, merged with that of its implementation. */
    abi?: AbiIndex;
    /** The beacon of a beacon proxy, once it is known. */
    beacon?: string;
  }
}

export async function compileEvmSubject(
  { chain, address, code, ...stored }: StoredContract,
  offload: Offload,
): Promise<Subject> {
  const storedAbi = await compileStoredAbi(stored.abi, offload);
  const abi = mergeAbis(storedAbi, await compileStoredAbi(stored.implementation_abi, offload));
  return { chain, address, abi, ...(code?.beacon && { beacon: code.beacon }) };
}
