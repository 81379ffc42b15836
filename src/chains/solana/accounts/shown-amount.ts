/** A token amount as nodes return it: the stored one, and the text that is shown to people. */
type NodeAmount = { amount: string; decimals: number; uiAmountString?: string | null | undefined };

const shown = /^(\d{1,39})(?:\.(\d{1,255}))?$/;

/**
 * Returns an amount in the smallest unit, as it is shown. It is the stored amount, unless the mint scales its amounts or bears
 * interest, which only the node can compute.
 */
export function shownAmount({ amount, decimals, uiAmountString }: NodeAmount): bigint {
  const text = shown.exec(uiAmountString ?? "");
  if (!text) return BigInt(amount);
  return BigInt(`${text[1]}${(text[2] ?? "").slice(0, decimals).padEnd(decimals, "0")}`);
}
