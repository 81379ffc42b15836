import { expect, test } from "vitest";
import { resolveHost } from "./resolve-host.ts";

test("a local name is resolved by the operating system", async () => {
  const addresses = await resolveHost("localhost");
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(["127.0.0.1", "::1"]).toContain(address);
});
