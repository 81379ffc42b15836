import { expect, test } from "vitest";
import { EndpointFailure, RpcError } from "../rpc/failure.ts";
import { classifySolanaError } from "./classify-error.ts";

test.each([
  [-32007, "request"],
  [-32009, "request"],
  [-32015, "request"],
  [-32602, "request"],
  [-32004, "missing"],
  [-32011, "missing"],
  [-32016, "missing"],
  [-32005, "down"],
  [-32010, "request"],
  [-32012, "request"],
  [-32020, "request"],
  [-32429, "limited"],
  [-32601, "unsupported"],
  [429, "limited"],
  [-32603, "error"],
])("error %i of a Solana node is classified as %s", (code, kind) => {
  const classified = classifySolanaError("getTransaction", { code, message: "something" });
  if (kind === "request") expect(classified).toBeInstanceOf(RpcError);
  else expect(classified).toMatchObject({ name: "EndpointFailure", kind });
  expect(classified instanceof RpcError || classified instanceof EndpointFailure).toBe(true);
});

test("error -32007 is a skipped slot, or the rate limit of a provider, by its message", () => {
  const classify = (message: string) => classifySolanaError("getBlock", { code: -32007, message });
  expect(classify("Slot 7 was skipped, or missing due to ledger jump to recent snapshot")).toBeInstanceOf(
    RpcError,
  );
  expect(classify("50/second request limit reached - reduce calls per second")).toMatchObject({
    kind: "limited",
  });
});

test("a malformed error is a failure of the endpoint", () => {
  for (const odd of [null, "text", 7, {}])
    expect(classifySolanaError("getSlot", odd)).toBeInstanceOf(EndpointFailure);
});
