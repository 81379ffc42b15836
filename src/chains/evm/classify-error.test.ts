import { describe, expect, it } from "vitest";
import { EndpointFailure, RpcError } from "../rpc/failure.ts";
import { classifyEvmError } from "./classify-error.ts";

function kindOf(method: string, code: number, message: string): string {
  const classified = classifyEvmError(method, { code, message });
  return classified instanceof EndpointFailure ? classified.kind : "request";
}

describe("classifyEvmError", () => {
  it.each([
    ["eth_call", 3, "execution reverted: no", "request"],
    ["eth_call", -32000, "execution reverted", "request"],
    ["eth_call", -32000, "out of gas", "request"],
    ["eth_call", -32602, "invalid argument 0", "request"],
    ["eth_call", -32000, "header not found", "missing"],
    ["eth_call", -32000, "missing trie node abc (path )", "pruned"],
    ["eth_getLogs", -32000, "unknown block", "missing"],
    ["eth_getBlockByNumber", -39001, "finalized block not found", "missing"],
    [
      "eth_getBlockReceipts",
      -32601,
      "the method eth_getBlockReceipts does not exist/is not available",
      "unsupported",
    ],
    ["eth_getBlockReceipts", -32004, "unsupported", "unsupported"],
    ["eth_getBlockReceipts", -32000, "method is not whitelisted: method eth_x is not allowed", "unsupported"],
    [
      "debug_traceBlockByHash",
      -32600,
      "debug_traceBlockByHash is not available on the Free tier - upgrade to Pay As You Go",
      "unsupported",
    ],
    ["debug_traceBlockByHash", -32000, "debug_traceBlockByHash failed: block 0x12 not found", "missing"],
    ["debug_traceBlockByHash", -32000, "execution timeout", "error"],
    ["eth_call", -32005, "daily request count exceeded", "limited"],
    ["eth_call", -32007, "50/second request limit reached", "limited"],
    ["eth_call", 429, "Too Many Requests", "limited"],
    ["eth_call", -32000, "You have exceeded your compute units per second capacity", "limited"],
    ["eth_getLogs", -32005, "query returned more than 10000 results", "request"],
    ["eth_getLogs", -32000, "rate limited to 10 requests per second", "limited"],
    ["eth_getLogs", -32600, "block range is too wide", "request"],
    ["eth_getLogs", -32603, "internal error", "error"],
    ["eth_call", -1, "", "error"],
  ])("classifies the error of %s with code %d and text %j as %s", (method, code, message, kind) => {
    expect(kindOf(method, code, message)).toBe(kind);
  });

  it("keeps code, message and data for the caller", () => {
    const classified = classifyEvmError("eth_call", {
      code: 3,
      message: "execution reverted",
      data: "0x08c379a0",
    });
    expect(classified).toBeInstanceOf(RpcError);
    expect(classified).toMatchObject({ code: 3, message: "execution reverted", data: "0x08c379a0" });
  });

  it.each([[null], ["boom"], [{}], [{ code: "x", message: 5 }]])(
    "blames the endpoint for the malformed error %j",
    (error) => {
      expect(classifyEvmError("eth_call", error)).toBeInstanceOf(EndpointFailure);
    },
  );
});
