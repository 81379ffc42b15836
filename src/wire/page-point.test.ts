import fc from "fast-check";
import { expect, test } from "vitest";
import { fromCursor, toCursor } from "./page-point.ts";

test("a cursor is read back as the point that it was made of", () => {
  const points = fc.record({
    at: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31") }),
    id: fc.uuid(),
  });
  fc.assert(
    fc.property(points, (point) => {
      expect(fromCursor(toCursor(point))).toEqual(point);
    }),
  );
});

test("a text that is no cursor is not read", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(fromCursor(text)).toBeUndefined();
    }),
  );
  expect(fromCursor(toCursor({ at: new Date(0), id: "' or 1=1" }))).toBeUndefined();
});
