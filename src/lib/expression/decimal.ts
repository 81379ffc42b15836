import { type Rational, reduce } from "./rational.ts";

/** The maximum number of digits of a decimal, written out in full. */
export const maxDigits = 100;

/**
 * The exact value of `12`, `1_000`, `0.5`, `1.5e18` or `2e-3`, with a minus before it or not. Undefined when the text is
 * no such number, or has more than 100 digits when written out without an exponent.
 */
export function parseDecimal(text: string): Rational | undefined {
  if (text.length > 2 * maxDigits + 10) return undefined;
  const match = /^(-?)(\d+(?:_\d+)*)(?:\.(\d+(?:_\d+)*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
  if (!match) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const wholeDigits = whole.replaceAll("_", "");
  const fractionDigits = fraction.replaceAll("_", "");
  const scale = fractionDigits.length - Number(exponent);
  const wholeLength = Math.max(wholeDigits.length + Number(exponent), 1);
  if (wholeLength + Math.max(scale, 0) > maxDigits) return undefined;
  const mantissa = BigInt(sign + wholeDigits + fractionDigits);
  return scale > 0
    ? reduce(mantissa, 10n ** BigInt(scale))
    : { numerator: mantissa * 10n ** BigInt(-scale), denominator: 1n };
}

/**
 * The value of a JavaScript number. A whole one is taken as it is; a fraction is taken as it is written, so that the 0.3
 * of a caller equals the 0.3 of an expression although no double is exactly that. Undefined for NaN and infinity.
 */
export function decimalOfNumber(value: number): Rational | undefined {
  if (Number.isInteger(value)) return { numerator: BigInt(value), denominator: 1n };
  return parseDecimal(String(value));
}

/** The number as a person reads it: a decimal when a short one is exact, otherwise a fraction such as `1/3`. */
export function formatRational(value: Rational): string {
  const { numerator, denominator } = reduce(value.numerator, value.denominator);
  if (denominator === 1n) return String(numerator);
  const places = decimalPlaces(denominator);
  if (places === undefined) return `${numerator}/${denominator}`;
  const scaled = (numerator * 10n ** BigInt(places)) / denominator;
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(places + 1, "0");
  return `${scaled < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function decimalPlaces(denominator: bigint): number | undefined {
  for (let places = 1; places <= maxDigits; places += 1) {
    if (10n ** BigInt(places) % denominator === 0n) return places;
  }
  return undefined;
}
