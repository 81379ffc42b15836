import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { toHashedBytes } from "./text-bytes.ts";

test.each([
  ["short", "€uro"],
  ["empty", ""],
  ["long with characters of several bytes", `a${"𝒳é".repeat(200_000)}`],
])("a text that is %s has the bytes and the hash of its encoding", async (_, text) => {
  const { bytes, hash } = await toHashedBytes(text);
  expect(bytes.equals(Buffer.from(text))).toBe(true);
  expect(hash).toBe(createHash("sha1").update(text).digest("base64url"));
});

test("other work runs while a long text is hashed", async () => {
  let isHashed = false;
  const hashing = toHashedBytes("a".repeat(10_000_000)).then(() => (isHashed = true));
  await new Promise(setImmediate);
  expect(isHashed).toBe(false);
  await hashing;
});
