import { expect, it } from "vitest";
import { classifyRpcError } from "./classify-error.ts";
import { matchReplies } from "./replies.ts";

const calls = ["a", "b", "c"].map((method) => ({ method, params: [] }));
const ok = (id: unknown, result: unknown) => ({ jsonrpc: "2.0", id, result });
const results = (reply: unknown) =>
  matchReplies(calls, 7, reply, classifyRpcError).map((reply) =>
    "result" in reply ? reply.result : reply.failure.message,
  );

it("gives each call its answer, whatever the order and the spelling of ids", () => {
  expect(results([ok(9, "C"), ok("7", "A"), ok(8, null)])).toEqual(["A", null, "C"]);
});

it("calls what is absent, doubled or misshapen a failure of that call alone", () => {
  expect(results([ok(7, 1), ok(7, 2), { id: 8 }, null, "x", ok(99, 1)])).toEqual([
    "answered a twice",
    "answered b with neither a result nor an error",
    "did not answer c",
  ]);
});

it("finds nothing in a reply that is no JSON-RPC", () => {
  for (const reply of [null, 5, "text", {}, []]) expect(results(reply).every(Boolean)).toBe(true);
});
