import { expect, it } from "vitest";
import { classifyRpcError } from "./classify-error.ts";
import { matchReplies } from "./replies.ts";

const calls = ["a", "b", "c"].map((method) => ({ method, params: [] }));
const ok = (id: unknown, result: unknown) => ({ jsonrpc: "2.0", id, result });
const results = (reply: unknown) =>
  matchReplies(calls, 7, reply, classifyRpcError).map((reply) =>
    "result" in reply ? reply.result : reply.failure.message,
  );

it("matchReplies matches replies to calls by id, in any order and with ids as numbers or text", () => {
  expect(results([ok(9, "C"), ok("7", "A"), ok(8, null)])).toEqual(["A", null, "C"]);
});

it("matchReplies reports a missing, duplicate or malformed reply as a failure of that call only", () => {
  expect(results([ok(7, 1), ok(7, 2), { id: 8 }, null, "x", ok(99, 1)])).toEqual([
    "replied twice to a",
    "replied to b with neither a result nor an error",
    "did not reply to c",
  ]);
});

it("matchReplies reports a failure for every call when the reply is not JSON-RPC", () => {
  for (const reply of [null, 5, "text", {}, []]) expect(results(reply).every(Boolean)).toBe(true);
});
