import { expect, test } from "vitest";
import { ago, formatDuration, formatUnits, formatValue, formatWithUnit, shortAddress } from "./units.ts";

test.each([
  ["1000000000000000000", 18, "1", "1"],
  ["4100000123456", 6, "4,100,000.1234", "4,100,000.123456"],
  ["1", 18, "<0.0001", "0.000000000000000001"],
  ["0", 18, "0", "0"],
  ["-2500000", 6, "-2.5", "-2.5"],
  ["42", 0, "42", "42"],
  [
    "115792089237316195423570985008687907853269984665640564039457",
    18,
    "115,792,089,237,316,195,423,570,985,008,687,907,853,269.9846",
    "115,792,089,237,316,195,423,570,985,008,687,907,853,269.984665640564039457",
  ],
])("%s with %i decimals is %s", (raw, decimals, text, exact) => {
  expect(formatUnits(raw, decimals)).toEqual({ text, exact });
});

test.each([
  [null, "–"],
  [12, "12"],
  [1234, "1,234"],
  [0.123456789, "0.123457"],
  [4_100_000, "4.1M"],
])("the value %s is shown as %s", (value, text) => {
  expect(formatValue(value)).toBe(text);
});

test("units follow their number, and one of them is singular", () => {
  expect(formatWithUnit(3, "events")).toBe("3 events");
  expect(formatWithUnit(1, "events")).toBe("1 event");
  expect(formatWithUnit(90, "seconds")).toBe("1 min 30 s");
});

test.each([
  [0, "0 s"],
  [59, "59 s"],
  [180, "3 min"],
  [7_500, "2 h 5 min"],
  [90_061, "1 d 1 h"],
  [3_601, "1 h"],
])("%i seconds are %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test("an age has one unit, and a moment in the future has none of it", () => {
  expect(ago(0, 12_000)).toBe("12 s");
  expect(ago(0, 3 * 60_000 + 59_000)).toBe("3 min");
  expect(ago(0, 49 * 3_600_000)).toBe("2 d");
  expect(ago(5_000, 0)).toBe("0 s");
});

test("a shortened address keeps enough of both ends to notice a lookalike", () => {
  expect(shortAddress("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")).toBe("0x5aAeb6…1BeAed");
  expect(shortAddress("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")).toBe(
    "Tokenk…VQ5DA".replace("VQ5DA", "3VQ5DA"),
  );
});
