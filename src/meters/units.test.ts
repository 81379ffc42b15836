import fc from "fast-check";
import { formatUnits } from "viem";
import { describe, expect, it } from "vitest";
import { toUnits } from "./units.ts";

describe("toUnits", () => {
  it("returns the double nearest to the exact amount", () => {
    const amounts = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 256n - 1n });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 77 }), (amount, decimals) => {
        expect(toUnits(amount, decimals) + 0).toBe(Number(formatUnits(amount, decimals)) + 0);
      }),
    );
  });
});
