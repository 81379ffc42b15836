import { evidenceRows } from "@/lib/text/evidence-rows.ts";
import { formatWithUnit } from "@/lib/text/units.ts";
import type { AlertEvent } from "@/queries/alerts.ts";
import { Address } from "@/ui/address.tsx";
import { Facts } from "@/ui/card.tsx";
import { utcText } from "@/ui/time.tsx";

type Reading = { time: number; value: number; tx_hash: string | null };
type Condition = { clause?: string; holds?: boolean | null };

type Explanation = {
  clause?: string;
  conditions?: Condition[];
  previous?: Reading;
  reason?: string;
  decoded?: { name?: string; signature?: string; args?: Record<string, unknown> } | null;
  evidence?: Record<string, unknown> | null;
  samples?: Reading[];
  samples_in_window?: number;
  baseline?: unknown;
  cut?: string[];
};

/** Names of contracts by lower-case address, so that the evidence says who instead of 0x…. */
export type Names = Map<string, string>;

/** Why the rule fired: the condition, the decoded call or event, and the readings in the window. */
export function Evidence({ event, names }: { event: AlertEvent; names: Names }) {
  const explanation = event.explanation as Explanation;
  const { clause, conditions = [], previous, decoded, evidence, cut = [] } = explanation;
  const { samples = [], samples_in_window = 0 } = explanation;
  // Where each reading is the same, such as one transaction, the one before tells nothing.
  const hasChanged = samples.some(({ value }) => value !== previous?.value);
  const otherEvidence = evidenceRows(evidence ?? {});
  return (
    <div className="space-y-4">
      {clause && (
        <p>
          The condition held: <b className="font-medium">{clause}</b>.
        </p>
      )}
      {conditions.length > 1 && <Conditions conditions={conditions} />}
      {previous && hasChanged && (
        <p>
          The reading before: <b className="font-medium">{formatWithUnit(previous.value, event.unit)}</b>,{" "}
          <span className="text-muted">{utcText(new Date(previous.time * 1000).toISOString())}</span>
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
      {otherEvidence.length > 0 && (
        <div>
          <h3 className="mb-1.5 text-sm font-semibold">{event.tx_hash ? "Transaction" : "Details"}</h3>
          <Facts
            rows={otherEvidence.map(([name, value]) => [
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
      {cut.length > 0 && (
        <p className="text-sm text-muted">Too long to be stored in full: {cut.join(", ")}.</p>
      )}
    </div>
  );
}

/** The conditions of a rule with several, with those that did not hold. */
function Conditions({ conditions }: { conditions: Condition[] }) {
  return (
    <ul className="list-disc space-y-1 pl-5 text-sm">
      {conditions.map(({ clause, holds }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two conditions can be equal, and the list does not change.
        <li key={index}>
          {clause} {holds === false && <span className="text-muted">(did not hold)</span>}
          {holds === null && <span className="text-muted">(no reading)</span>}
        </li>
      ))}
    </ul>
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
