import { Link } from "@tanstack/react-router";
import { StatusBadge } from "@/features/alerts/status.tsx";
import { useNow } from "@/lib/browser/now.ts";
import { formatDuration } from "@/lib/text/units.ts";
import type { AlertEvent } from "@/queries/alerts.ts";
import { Address } from "@/ui/address.tsx";
import { SeverityBadge } from "@/ui/severity.tsx";
import { Time } from "@/ui/time.tsx";

/** Whether it is still going on, in words. */
export function durationText(
  { status, fired_at, resolved_at, acknowledged_at }: AlertEvent,
  now: number,
): string {
  const since = (end: number) => formatDuration((end - Date.parse(fired_at)) / 1000);
  switch (status) {
    case "firing":
      return `Still going on, for ${since(now)}`;
    case "acknowledged":
      return acknowledged_at ? `Still going on, for ${since(now)}; someone is on it` : "Still going on";
    case "resolved":
      return resolved_at ? `Over after ${since(Date.parse(resolved_at))}` : "Over";
    case "retracted":
      return "Withdrawn: its block is no longer part of the chain";
    default:
      return "Happened once; there is nothing to resolve";
  }
}

/** The facts under the sentence: where, which block, when. */
export function EventFacts({
  event,
  contractLabel,
  explorerUrl,
  acknowledgedBy,
}: {
  event: AlertEvent;
  contractLabel: string | undefined;
  explorerUrl: string | null;
  acknowledgedBy: string | undefined;
}) {
  const now = useNow();
  const { severity, status, chain, block_number, finality, fired_at, contract_id, tx_hash } = event;
  return (
    <div className="space-y-1.5">
      <p className="flex flex-wrap items-center gap-2">
        <SeverityBadge severity={severity} isFilled={status === "firing"} />
        <StatusBadge status={status} />
        {event.acknowledged_at && status !== "acknowledged" && <StatusBadge status="acknowledged" />}
        <span className="font-medium" role="status">
          {durationText(event, now)}
        </span>
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        {contract_id && (
          <Link
            to="/contracts/$id"
            params={{ id: contract_id }}
            className="text-accent underline underline-offset-2"
          >
            {contractLabel ?? "Contract"}
          </Link>
        )}
        <span>{chain}</span>
        {block_number !== null && (
          <span>
            block {block_number.toLocaleString("en")} ({finality})
          </span>
        )}
        <Time at={fired_at} isAbsolute />
        {event.acknowledged_at && (
          <span>
            acknowledged{acknowledgedBy && ` by ${acknowledgedBy}`}, <Time at={event.acknowledged_at} />
          </span>
        )}
        {tx_hash && (
          <span className="inline-flex items-center gap-1">
            transaction <Address value={tx_hash} explorerUrl={explorerUrl} />
          </span>
        )}
      </p>
    </div>
  );
}
