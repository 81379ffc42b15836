import fc from "fast-check";
import { expect, it } from "vitest";
import { toPlain } from "../plain-json.ts";
import { limitJson } from "./limit-json.ts";

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(toPlain(value)));

it("returns an object within the limit as it is", () => {
  const value = { decoded: { args: { amount: 5n, to: "0x12" } } };
  expect(limitJson(value, 4_096)).toBe(value);
});

it("shortens a long text and names it", () => {
  const value = { from: "0x12", decoded: { args: { data: "ab".repeat(10_000), amount: 5n } } };
  expect(limitJson(value, 16_384)).toEqual({
    from: "0x12",
    decoded: { args: { data: `${"ab".repeat(85)}…`, amount: 5n } },
    cut: ["decoded.args.data"],
  });
});

it("leaves out the last items of a long list and names where it was cut", () => {
  const limited = limitJson({ list: Array.from({ length: 5_000 }, (_, index) => index) }, 4_096);
  const kept = (limited.list as number[]).length;
  expect(kept).toBeGreaterThan(100);
  expect(limited.cut).toEqual([`list from item ${kept}`]);
});

it("names 20 parts and counts the others", () => {
  const fields = Array.from({ length: 30 }, (_, index) => [`field${index}`, "a".repeat(5_000)]);
  const { cut } = limitJson(Object.fromEntries(fields), 16_384) as { cut: string[] };
  expect([cut.length, cut[0], cut.at(-1)]).toEqual([21, "field0", "and 10 more"]);
});

it("keeps any value within the limit", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 3_000, unit: "binary" }),
    fc.constant("\u0001".repeat(30_000)),
    fc.constant("𝒳".repeat(3_000)),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      text,
      fc.bigInt({ min: 0n, max: 2n ** 256n }),
      fc.boolean(),
      fc.array(tie("value"), { maxLength: 60 }),
      fc.dictionary(fc.string({ maxLength: 300 }), tie("value"), { maxKeys: 40 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value, { maxKeys: 30 }), (object) => {
      expect(bytesOf(limitJson(object, 8_192))).toBeLessThanOrEqual(8_192);
    }),
    { numRuns: 40 },
  );
});
