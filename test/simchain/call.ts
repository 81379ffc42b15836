import {
  decodeFunctionData,
  encodeErrorResult,
  encodeFunctionResult,
  type Hex,
  pad,
  parseAbi,
  toHex,
} from "viem";
import { contracts } from "./contents.ts";
import { accountOf } from "./state.ts";
import type { SimBlock } from "./tree.ts";

/** An error to return in a JSON-RPC reply. */
export class JsonRpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The address of the simulated Multicall3. */
export const multicall3 = "0xcA11bde05977b3631167028862bE2a173976CA11";

export const selectors = {
  totalSupply: "0x18160ddd",
  paused: "0x5c975abb",
  reverts: "0xbad00001",
  revertsWithoutReason: "0xbad00002",
  confusesTheNode: "0xbad00003",
  burnsAllGas: "0xbad00004",
} as const;

const abi = parseAbi([
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call[] calls) payable returns (Result[] returnData)",
  "function getEthBalance(address addr) view returns (uint256 balance)",
  "error Error(string reason)",
]);

/** Executes a call at a block; throws the error that a node returns. */
export function call(block: SimBlock, to: string, data: Hex): Hex {
  if (to.toLowerCase() === multicall3.toLowerCase()) return callMulticall(block, data);
  if (!contracts.some((address) => address.toLowerCase() === to.toLowerCase())) return "0x";
  const account = accountOf(block.state, to);
  const selector = data.slice(0, 10);
  if (selector === selectors.totalSupply) return pad(toHex(account.logs * 1000), { size: 32 });
  if (selector === selectors.paused) return pad(toHex(account.isPaused ? 1 : 0), { size: 32 });
  if (selector === selectors.reverts) {
    throw new JsonRpcError(
      3,
      "execution reverted: not allowed",
      encodeErrorResult({ abi, errorName: "Error", args: ["not allowed"] }),
    );
  }
  if (selector === selectors.confusesTheNode) throw new JsonRpcError(-32000, "unexpected condition");
  if (selector === selectors.burnsAllGas) throw new JsonRpcError(-32000, "out of gas");
  throw new JsonRpcError(3, "execution reverted", "0x");
}

function callMulticall(block: SimBlock, data: Hex): Hex {
  const { functionName, args } = decodeFunctionData({ abi, data });
  if (functionName === "getEthBalance")
    return pad(toHex(accountOf(block.state, args[0]).balance), { size: 32 });
  let isOutOfGas = false;
  const result = args[0].map(({ target, callData }) => {
    if (isOutOfGas) return { success: false, returnData: "0x" as Hex };
    try {
      return { success: true, returnData: call(block, target, callData) };
    } catch (error) {
      const { message, data: reason } = error as JsonRpcError;
      // The remaining gas is not enough for the other calls.
      isOutOfGas = message === "out of gas";
      return { success: false, returnData: (typeof reason === "string" ? reason : "0x") as Hex };
    }
  });
  return encodeFunctionResult({ abi, functionName: "aggregate3", result });
}
