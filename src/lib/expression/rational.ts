/** An exact number, in lowest terms and with a positive denominator. */
export type Rational = { numerator: bigint; denominator: bigint };

/** The maximum size of a result, so that repeated multiplication cannot exhaust the memory. */
const maxBits = 4096;

const limit = 1n << BigInt(maxBits);

export function rationalOf(integer: bigint): Rational | undefined {
  return bounded(integer, 1n);
}

/** Reduces a fraction with a positive denominator. */
export function reduce(numerator: bigint, denominator: bigint): Rational {
  const divisor = gcd(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/**
 * The sum, or undefined when it is too large. Common factors are removed from the operands, which keeps adding a
 * small number to a large one cheap.
 */
export function add(a: Rational, b: Rational): Rational | undefined {
  const shared = gcd(a.denominator, b.denominator);
  const ours = a.denominator / shared;
  const sum = a.numerator * (b.denominator / shared) + b.numerator * ours;
  const rest = gcd(sum, shared);
  return bounded(sum / rest, ours * (b.denominator / rest));
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
  const left = reduce(a.numerator, b.denominator);
  const right = reduce(b.numerator, a.denominator);
  return bounded(left.numerator * right.numerator, left.denominator * right.denominator);
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
