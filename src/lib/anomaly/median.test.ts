import fc from "fast-check";
import { expect, test } from "vitest";
import { medianOf } from "./median.ts";

test("the median of an odd count is the middle value, of an even count the mean of the two middle ones", () => {
  expect(medianOf([3, 1, 2])).toBe(2);
  expect(medianOf([4, 1, 3, 2])).toBe(2.5);
  expect(medianOf([])).toBe(0);
  expect(medianOf(new Float64Array([10, 9]))).toBe(9.5);
});

test("as many values are below the median as above it", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
      const median = medianOf(values);
      const below = values.filter((value) => value < median).length;
      const above = values.filter((value) => value > median).length;
      expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
    }),
  );
});
