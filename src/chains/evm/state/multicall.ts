import type { Hex, Read } from "../../block.ts";
import { MalformedData } from "../../decoding/decoded-value.ts";
import { decodeValues } from "../abi/abi-data.ts";
import { compileFields } from "../abi/abi-type.ts";
import { encodeValues } from "../abi/encode.ts";
import { bytesOf, concat } from "../values/hex.ts";
import { keccakOfText } from "../values/keccak.ts";

/** One of the calls in a multicall. */
export type InnerCall = { target: Hex; callData: Hex };

const calls = compileFields([
  {
    type: "tuple[]",
    components: [
      { name: "target", type: "address" },
      { name: "allowFailure", type: "bool" },
      { name: "callData", type: "bytes" },
    ],
  },
]);
const resultFields = compileFields([
  {
    type: "tuple[]",
    components: [
      { name: "success", type: "bool" },
      { name: "returnData", type: "bytes" },
    ],
  },
]);
const holder = compileFields([{ type: "address" }]);
const aggregate3 = selectorOf("aggregate3((address,bool,bytes)[])");
const getEthBalance = selectorOf("getEthBalance(address)");

/** Converts a read into a call for Multicall3; undefined when a contract cannot perform it. */
export function innerCall(read: Read, multicall3: Hex): InnerCall | undefined {
  if (read.kind === "call") return { target: read.to as Hex, callData: read.data };
  if (read.kind !== "balance") return undefined;
  return { target: multicall3, callData: concat([getEthBalance, encodeValues(holder, [read.address])]) };
}

export function encodeMulticall(inner: readonly InnerCall[]): Hex {
  const args = inner.map((call) => ({ ...call, allowFailure: true }));
  return concat([aggregate3, encodeValues(calls, [args])]);
}

/** Decodes the results of a multicall; undefined when the data is invalid, as when Multicall3 is not deployed. */
export function decodeMulticall(data: Hex, count: number): { success: boolean; data: Hex }[] | undefined {
  const bytes = bytesOf(data);
  try {
    // An endpoint returned it, so that its size is not chosen by a contract alone.
    const [list] = decodeValues(resultFields, bytes, { bytes: 4 * bytes.length + 16_384 });
    const found = list as { success: boolean; returnData: Hex }[];
    return found.length === count
      ? found.map(({ success, returnData }) => ({ success, data: returnData }))
      : undefined;
  } catch (error) {
    if (error instanceof MalformedData) return undefined;
    throw error;
  }
}

function selectorOf(signature: string): Hex {
  return keccakOfText(signature).slice(0, 10) as Hex;
}
