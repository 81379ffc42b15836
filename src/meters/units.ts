/** Scales an on-chain integer by its decimals. Returns the nearest double; the evidence of a reading keeps the exact amount. */
export function toUnits(amount: bigint, decimals: number): number {
  if (decimals === 0) return Number(amount);
  const text = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  const value = Number(`${text.slice(0, -decimals)}.${text.slice(-decimals)}`);
  return amount < 0n ? -value : value;
}
