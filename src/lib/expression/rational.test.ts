import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { decimalOfNumber, formatRational, parseDecimal } from "./decimal.ts";
import { add, compare, divide, multiply, type Rational, reduce, subtract } from "./rational.ts";

const numRuns = process.env.TEST_LONG ? 20_000 : 300;
if (process.env.TEST_LONG) vi.setConfig({ testTimeout: 600_000 });

const rational = fc
  .tuple(fc.bigInt(-(2n ** 900n), 2n ** 900n), fc.bigInt(1n, 2n ** 400n))
  .map(([numerator, denominator]) => reduce(numerator, denominator));

const step = fc.record({ operator: fc.constantFrom("+", "-", "*", "/"), operand: rational });

/** The reference implementation, without a limit and never in lowest terms. */
function plainly(operator: string, a: Rational, b: Rational): Rational | undefined {
  const [an, ad, bn, bd] = [a.numerator, a.denominator, b.numerator, b.denominator];
  if (operator === "/" && bn === 0n) return undefined;
  if (operator === "*") return { numerator: an * bn, denominator: ad * bd };
  if (operator === "/" && bn < 0n) return { numerator: -an * bd, denominator: ad * -bn };
  if (operator === "/") return { numerator: an * bd, denominator: ad * bn };
  return { numerator: operator === "+" ? an * bd + bn * ad : an * bd - bn * ad, denominator: ad * bd };
}

const bits = (value: bigint) => (value < 0n ? -value : value).toString(2).length;

const inLowestTerms = ({ numerator, denominator }: Rational) => reduce(numerator, denominator);

describe("exact arithmetic", () => {
  it("equals the reference implementation, and is undefined only beyond the size limit", () => {
    const operations = { "+": add, "-": subtract, "*": multiply, "/": divide };
    fc.assert(
      fc.property(rational, fc.array(step, { maxLength: 12 }), (start, steps) => {
        let ours = start;
        for (const { operator, operand } of steps) {
          const result = operations[operator](ours, operand);
          const plain = plainly(operator, ours, operand);
          if (!result) {
            expect(plain ? Math.max(bits(plain.numerator), bits(plain.denominator)) : 4097).toBeGreaterThan(
              4096,
            );
            return;
          }
          expect(inLowestTerms(result)).toEqual(plain && inLowestTerms(plain));
          ours = result;
        }
      }),
      { numRuns },
    );
  });

  it("accepts results of 4096 bits and rejects larger ones", () => {
    const two = { numerator: 2n, denominator: 1n };
    const half = { numerator: 2n ** 4095n, denominator: 1n };
    expect(add(half, { numerator: 2n ** 4095n - 1n, denominator: 1n })).toBeDefined();
    expect(multiply(half, two)).toBeUndefined();
    expect(divide({ numerator: 1n, denominator: 2n ** 4095n }, two)).toBeUndefined();
    expect(divide(two, { numerator: 0n, denominator: 1n })).toBeUndefined();
  });

  it("orders numbers like the sign of their difference", () => {
    fc.assert(
      fc.property(rational, rational, (a, b) => {
        const difference = subtract(a, b)?.numerator ?? 0n;
        expect(compare(a, b)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
      { numRuns },
    );
  });
});

describe("decimals", () => {
  it("are parsed back from their printed form", () => {
    const scaled = fc.tuple(fc.bigInt(-(10n ** 50n), 10n ** 50n), fc.integer({ min: 0, max: 40 }));
    fc.assert(
      fc.property(scaled, ([numerator, places]) => {
        const value = reduce(numerator, 10n ** BigInt(places));
        expect(parseDecimal(formatRational(value))).toEqual(value);
      }),
      { numRuns },
    );
  });

  it("take an integer exactly and a fraction as it is written", () => {
    expect(decimalOfNumber(2 ** 70)).toEqual({ numerator: 2n ** 70n, denominator: 1n });
    expect(decimalOfNumber(0.3)).toEqual({ numerator: 3n, denominator: 10n });
    expect(decimalOfNumber(-1e-7)).toEqual({ numerator: -1n, denominator: 10n ** 7n });
    expect(decimalOfNumber(-0)).toEqual({ numerator: 0n, denominator: 1n });
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(decimalOfNumber(value)).toBeUndefined();
    }
  });

  it("reject text that is not a number", () => {
    for (const text of ["", "-", "1.", ".5", "1_", "_1", "1__0", "1e", "0x10", "1e99999", "١", "1 "]) {
      expect(parseDecimal(text)).toBeUndefined();
    }
  });
});
