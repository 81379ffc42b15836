import type { AccountState } from "./account-state.ts";
import { token2022Program } from "./address.ts";
import { extensionsOfMint } from "./token-extensions.ts";

/** Returns by what amounts of a mint are multiplied when they are shown, at a time in seconds. */
export type MintScale = (time: number) => number;

const interestBearing = 10;
const scaledAmount = 25;
const yearBasisPoints = 60 * 60 * 24 * 365.24 * 10_000;

/**
 * Reads how a mint scales its amounts, which cannot be added or removed later; undefined if amounts are shown as they are
 * stored.
 */
export function mintScaleOf(account: AccountState): MintScale | undefined {
  if (account.owner !== token2022Program) return undefined;
  for (const { id, value } of extensionsOfMint(account.data)) {
    if (id === scaledAmount && value.length >= 56) return ofFactors(value);
    if (id === interestBearing && value.length >= 52) return ofInterest(value);
  }
  return undefined;
}

/** A mint has the factor before and after a time. */
function ofFactors(value: Buffer): MintScale {
  const [before, from, after] = [value.readDoubleLE(32), value.readBigInt64LE(40), value.readDoubleLE(48)];
  return (time) => (time >= Number(from) ? after : before);
}

/** Interest is compounded continuously: at the average rate until the last change of the rate, and then at the current one. */
function ofInterest(value: Buffer): MintScale {
  const [initialised, changed] = [value.readBigInt64LE(32), value.readBigInt64LE(42)].map(Number) as [
    number,
    number,
  ];
  const [average, current] = [value.readInt16LE(40), value.readInt16LE(50)];
  return (time) => {
    const [until, after] = [Math.min(time, changed), Math.max(time, changed)];
    const exponent = average * (until - initialised) + current * (after - changed);
    return Math.exp(exponent / yearBasisPoints);
  };
}
