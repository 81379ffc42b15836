/** A whole on-chain amount in its human unit. The nearest double: thresholds are doubles too, exact amounts are evidence. */
export function toUnits(amount: bigint, decimals: number): number {
  if (decimals === 0) return Number(amount);
  const text = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  const value = Number(`${text.slice(0, -decimals)}.${text.slice(-decimals)}`);
  return amount < 0n ? -value : value;
}
