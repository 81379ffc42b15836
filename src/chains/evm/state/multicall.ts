import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";
import { onFirstUse } from "../../../lib/caching/on-first-use.ts";
import type { Hex, Read } from "../../block.ts";

/** One of the calls in a multicall. */
export type InnerCall = { target: Hex; callData: Hex };

const readAbi = onFirstUse(() =>
  parseAbi([
    "struct Call { address target; bool allowFailure; bytes callData; }",
    "struct Result { bool success; bytes returnData; }",
    "function aggregate3(Call[] calls) payable returns (Result[] returnData)",
    "function getEthBalance(address addr) view returns (uint256 balance)",
  ]),
);

/** Converts a read into a call for Multicall3; undefined when a contract cannot perform it. */
export function innerCall(read: Read, multicall3: Hex): InnerCall | undefined {
  if (read.kind === "call") return { target: read.to as Hex, callData: read.data };
  if (read.kind !== "balance") return undefined;
  const args = [read.address as Hex] as const;
  return {
    target: multicall3,
    callData: encodeFunctionData({ abi: readAbi(), functionName: "getEthBalance", args }),
  };
}

export function encodeMulticall(calls: readonly InnerCall[]): Hex {
  const args = [calls.map((call) => ({ ...call, allowFailure: true }))] as const;
  return encodeFunctionData({ abi: readAbi(), functionName: "aggregate3", args });
}

/** Decodes the results of a multicall; undefined when the data is invalid, as when Multicall3 is not deployed. */
export function decodeMulticall(data: Hex, count: number): { success: boolean; data: Hex }[] | undefined {
  try {
    const results = decodeFunctionResult({ abi: readAbi(), functionName: "aggregate3", data });
    if (results.length !== count) return undefined;
    return results.map(({ success, returnData }) => ({ success, data: returnData }));
  } catch {
    return undefined;
  }
}
