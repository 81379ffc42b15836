import { formatWithUnit } from "@/lib/units.ts";
import type { AlertEvent } from "@/queries/alerts.ts";
import { Address } from "@/ui/address.tsx";
import { Facts } from "@/ui/card.tsx";
import { utcText } from "@/ui/time.tsx";

type Explanation = {
  clause?: string;
  reason?: string;
  decoded?: { name?: string; signature?: string; args?: Record<string, unknown> } | null;
  evidence?: Record<string, unknown> | null;
  samples?: { time: number; value: number; tx_hash: string | null }[];
  samples_in_window?: number;
  baseline?: unknown;
  cut?: unknown;
};

/** Names of contracts by lower-case address, so that the evidence says who instead of 0x…. */
export type Names = Map<string, string>;

/** Why the rule fired: the condition, the decoded call or event, and the readings in the window. */
export function Evidence({ event, names }: { event: AlertEvent; names: Names }) {
  const { clause, decoded, evidence, samples = [], samples_in_window = 0 } = event.explanation as Explanation;
  const others = Object.entries(evidence ?? {}).filter(([name]) => name !== "decoded");
  return (
    <div className="space-y-4">
      {clause && (
        <p>
          The condition held: <b className="font-medium">{clause}</b>.
        </p>
      )}
      {decoded?.name && (
        <div>
          <h3 className="mb-1.5 text-sm font-semibold wrap-break-word">
            {decoded.signature ?? decoded.name}
          </h3>
          <Facts
            rows={namedArgs(decoded.args ?? {}).map(([name, value]) => [
              name,
              <Value key={name} value={value} names={names} />,
            ])}
          />
        </div>
      )}
      {others.length > 0 && (
        <div>
          <h3 className="mb-1.5 text-sm font-semibold">{event.tx_hash ? "Transaction" : "Details"}</h3>
          <Facts
            rows={others.map(([name, value]) => [
              name.replaceAll("_", " "),
              <Value key={name} value={value} names={names} />,
            ])}
          />
        </div>
      )}
      {samples.length > 0 && (
        <details>
          <summary className="text-sm text-muted">
            {samples_in_window} {samples_in_window === 1 ? "reading" : "readings"} in the window
            {samples_in_window > samples.length && `, the last ${samples.length} of them`}
          </summary>
          <ul className="mt-2 space-y-1 text-sm">
            {samples.map(({ time, value, tx_hash }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: readings of one block can be equal, and the list does not change.
              <li key={index} className="flex flex-wrap gap-x-3">
                <span className="text-muted">{utcText(new Date(time * 1000).toISOString())}</span>
                <span>{formatWithUnit(value, event.unit)}</span>
                {tx_hash && <Address value={tx_hash} />}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Arguments are stored by name and by position; the position is shown only for those without a name. */
function namedArgs(args: Record<string, unknown>): [string, unknown][] {
  const entries = Object.entries(args);
  const named = entries.filter(([name]) => !/^\$\d+$/.test(name));
  return named.length > 0 ? named : entries;
}

function Value({ value, names }: { value: unknown; names: Names }) {
  if (typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value))
    return <Address value={value} name={names.get(value.toLowerCase()) ?? null} isFull />;
  if (typeof value === "string" && /^0x[0-9a-fA-F]{64}$/.test(value)) return <Address value={value} />;
  if (typeof value === "string" && /^-?\d{4,}$/.test(value))
    return <span title={value}>{BigInt(value).toLocaleString("en")}</span>;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return <span className="wrap-break-word">{String(value)}</span>;
  return <code className="text-xs break-all">{JSON.stringify(value)}</code>;
}
