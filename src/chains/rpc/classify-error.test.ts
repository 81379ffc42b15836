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

describe("a quota that is used up", () => {
  const sentence = (code: number, message: string) =>
    (classifyRpcError("eth_call", { code, message }) as Error).message;

  it.each([
    "daily request count exceeded, request rate limited",
    "Monthly quota exceeded",
    "Your app has exceeded its monthly capacity. Upgrade your plan.",
    "You have reached your daily limit",
    "out of credits",
  ])("is distinguished from a limit of calls per second by the words %j", (message) => {
    expect(sentence(429, message)).toBe("has used up the quota of its plan");
    expect(classifyStatus(429, undefined, `{"error":{"message":"${message}"}}`)).toMatchObject({
      kind: "limited",
      message: "has used up the quota of its plan",
    });
  });

  it.each([
    "Too Many Requests",
    "compute units per second capacity exceeded",
    "quota exceeded: 10 requests per second",
  ])("is not what %j says", (message) => {
    expect(sentence(429, message)).toBe("asks to slow down");
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
