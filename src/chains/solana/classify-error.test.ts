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
  [-32010, "unsupported"],
  [-32601, "unsupported"],
  [429, "limited"],
  [-32603, "error"],
])("error %i of a Solana node is classified as %s", (code, kind) => {
  const classified = classifySolanaError("getTransaction", { code, message: "something" });
  if (kind === "request") expect(classified).toBeInstanceOf(RpcError);
  else expect(classified).toMatchObject({ name: "EndpointFailure", kind });
  expect(classified instanceof RpcError || classified instanceof EndpointFailure).toBe(true);
});

test("a malformed error is a failure of the endpoint", () => {
  for (const odd of [null, "text", 7, {}])
    expect(classifySolanaError("getSlot", odd)).toBeInstanceOf(EndpointFailure);
});
