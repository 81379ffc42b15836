import { expect, test } from "vitest";
import { toCsvLine } from "./csv-line.ts";

test("values with commas, quotes and line breaks are quoted", () => {
  expect(toCsvLine(["a", 'say "b"', "c,d", "e\nf", null, -1.5, new Date(0)])).toBe(
    'a,"say ""b""","c,d","e\nf",,-1.5,1970-01-01T00:00:00.000Z\r\n',
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])("the text %j is not a formula", (text) => {
  expect(toCsvLine([text]).replaceAll('"', "")).toMatch(/^'/);
});
