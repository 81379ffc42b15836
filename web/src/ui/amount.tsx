import { formatUnits } from "@/lib/text/units.ts";

/** An on-chain amount in whole units, with the exact and the raw value on hover. */
export function Amount({
  raw,
  decimals,
  symbol,
}: {
  raw: string;
  decimals: number | null;
  symbol?: string | null;
}) {
  if (decimals === null)
    return (
      <data value={raw} className="break-all">
        {raw} <small className="text-muted">raw units</small>
      </data>
    );
  const { text, exact } = formatUnits(raw, decimals);
  return (
    <data value={raw} title={`${exact} ${symbol ?? ""} (${raw} raw)`}>
      {text} {symbol && <small className="text-muted">{symbol}</small>}
    </data>
  );
}
