import { expect, test } from "vitest";
import { systemRandom, uuidv7 } from "../../src/lib/random.ts";

test("ids of the same millisecond differ", () => {
  const now = new Date();
  const ids = Array.from({ length: 5_000 }, () => uuidv7(now, systemRandom));
  expect(new Set(ids).size).toBe(5_000);
});

test.each([1, 16, 4_095, 4_096, 4_097, 10_000])(
  "%d random bytes are returned in memory of their own",
  (count) => {
    const [first, second] = [systemRandom.bytes(count), systemRandom.bytes(count)];
    expect([first.length, second.length]).toEqual([count, count]);
    const before = second.toString("hex");
    first.fill(0);
    expect(second.toString("hex")).toBe(before);
  },
);

test("bytes are neither repeated nor left empty where the pool is filled again", () => {
  const chunks = Array.from({ length: 1_000 }, () => systemRandom.bytes(24).toString("hex"));
  expect(new Set(chunks).size).toBe(1_000);
  expect(chunks.filter((chunk) => chunk.includes("0".repeat(16)))).toEqual([]);
});
