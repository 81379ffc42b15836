import { describe, expect, it } from "vitest";
import { classifyRpcError, classifyStatus } from "./classify-error.ts";
import { EndpointFailure, RpcError } from "./failure.ts";

describe("classifyRpcError", () => {
  it.each([
    [-32601, "Method not found", "unsupported"],
    [-32005, "daily request count exceeded", "limited"],
    [0, "Too Many Requests", "limited"],
    [-32001, "", "missing"],
    [-32603, "internal error", "error"],
  ])("classifies error %d %j as %s", (code, message, kind) => {
    expect(classifyRpcError("getSlot", { code, message })).toMatchObject({ name: "EndpointFailure", kind });
  });

  it("blames the request for invalid parameters", () => {
    expect(classifyRpcError("getSlot", { code: -32602, message: "no" })).toBeInstanceOf(RpcError);
  });

  it.each([[null], ["boom"], [{}], [{ code: "x", message: 5 }]])("blames the endpoint for %j", (error) => {
    expect(classifyRpcError("getSlot", error)).toBeInstanceOf(EndpointFailure);
  });
});

describe("classifyStatus", () => {
  it("distinguishes rate limits, rejections and size limits", () => {
    expect(classifyStatus(429, 2000)).toMatchObject({ kind: "limited", retryAfterMs: 2000 });
    expect(classifyStatus(403, undefined)?.kind).toBe("refused");
    expect(classifyStatus(413, undefined)?.kind).toBe("too_large");
    expect(classifyStatus(503, 1000)).toMatchObject({ kind: "down", retryAfterMs: 1000 });
    expect(classifyStatus(200, undefined)).toBeUndefined();
  });
});
