import fc from "fast-check";
import { expect, test } from "vitest";
import { readBytes, readWord } from "./raw.ts";

const attempt = <Value>(read: () => Value) => {
  try {
    return read();
  } catch {
    return undefined;
  }
};
/** Mostly hexadecimal, mixed with characters that could be mistaken for it. */
const text = fc
  .array(fc.constantFrom(..."0123456789abcdefABCDEFgGxX @`/:é\u0130\u{1f525}"), { maxLength: 6 })
  .chain((odd) => fc.constantFrom(64, 60, 0).map((digits) => `${"0a".repeat(digits / 2)}${odd.join("")}`))
  .chain((digits) => fc.constantFrom("0x", "0X", "").map((prefix) => prefix + digits));

test("readWord and readBytes accept only hexadecimal text, and readWord returns lower case", () => {
  fc.assert(
    fc.property(text, (value) => {
      const isHex = /^0x[0-9a-fA-F]*$/.test(value);
      const isWord = isHex && value.length === 66;
      expect(attempt(() => readWord(value, "hash"))).toBe(isWord ? value.toLowerCase() : undefined);
      expect(attempt(() => readBytes(value, "data"))).toBe(
        isHex && value.length % 2 === 0 ? value : undefined,
      );
    }),
    { numRuns: 2000 },
  );
});

test.each([65_534, 65_536, 65_538, 200_000])(
  "readBytes checks all of %i digits, the code of a large contract",
  (digits) => {
    const value = `0x${"0".repeat(digits - 2)}`;
    expect(readBytes(`${value}Af`, "data")).toBe(`${value}Af`);
    for (const odd of ["0g", "0\u0130", "0é", "x0"]) {
      expect(() => readBytes(value + odd, "data")).toThrow("invalid data");
    }
  },
);

test.each([undefined, null, 7, {}, []])("readWord and readBytes reject %s, which is not text", (value) => {
  expect(() => readWord(value, "hash")).toThrow("invalid hash");
  expect(() => readBytes(value, "data")).toThrow("invalid data");
});
