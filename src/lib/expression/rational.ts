/** An exact number with a positive denominator. A result of arithmetic is not in lowest terms; `reduce` makes it so. */
export type Rational = { numerator: bigint; denominator: bigint };

/** The maximum size of a result, so that repeated multiplication cannot exhaust the memory. */
const maxBits = 4096;

const limit = 1n << BigInt(maxBits);

export function rationalOf(integer: bigint): Rational | undefined {
  return bounded(integer, 1n);
}

/** Returns a fraction with a positive denominator in lowest terms. */
export function reduce(numerator: bigint, denominator: bigint): Rational {
  const divisor = gcd(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/**
 * The sum, or undefined when it is too large. Finding common factors takes a hundred times as long as all else, and
 * an expression is evaluated for every event of a block; so only equal denominators are not multiplied.
 */
export function add(a: Rational, b: Rational): Rational | undefined {
  if (a.denominator === b.denominator) return bounded(a.numerator + b.numerator, a.denominator);
  const sum = a.numerator * b.denominator + b.numerator * a.denominator;
  return bounded(sum, a.denominator * b.denominator);
}

/** The difference, or undefined when it is too large. */
export function subtract(a: Rational, b: Rational): Rational | undefined {
  return add(a, negate(b));
}

export function negate({ numerator, denominator }: Rational): Rational {
  return { numerator: -numerator, denominator };
}

/** The product, or undefined when it is too large. */
export function multiply(a: Rational, b: Rational): Rational | undefined {
  return bounded(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** The quotient, or undefined when it is too large or there is none. */
export function divide(a: Rational, b: Rational): Rational | undefined {
  if (b.numerator === 0n) return undefined;
  const sign = b.numerator < 0n ? -1n : 1n;
  return multiply(a, { numerator: b.denominator * sign, denominator: b.numerator * sign });
}

/** Negative, zero or positive, as for sorting. */
export function compare(a: Rational, b: Rational): number {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

function bounded(numerator: bigint, denominator: bigint): Rational | undefined {
  const fits = numerator < limit && numerator > -limit && denominator < limit;
  return fits ? { numerator, denominator } : undefined;
}

function gcd(first: bigint, second: bigint): bigint {
  let [a, b] = [first < 0n ? -first : first, second];
  while (b > 1n) [a, b] = [b, a % b];
  return b === 1n ? 1n : a;
}
