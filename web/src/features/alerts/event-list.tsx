import { Link } from "@tanstack/react-router";
import { StatusBadge } from "@/features/alerts/status.tsx";
import { restOfMessage } from "@/lib/text/event-text.ts";
import type { AlertEvent } from "@/queries/alerts.ts";
import { SeverityIcon } from "@/ui/severity.tsx";
import { Time } from "@/ui/time.tsx";

/** A short list of alerts inside another page. */
export function EventList({ events, none }: { events: AlertEvent[]; none: string }) {
  if (events.length === 0) return <p className="text-sm text-muted">{none}</p>;
  return (
    <ul className="divide-y divide-line">
      {events.map(({ id, severity, status, title, message, fired_at }) => (
        <li key={id} className="flex items-start gap-2 py-2 text-sm first:pt-0 last:pb-0">
          <span className="mt-0.5">
            <SeverityIcon severity={severity} />
          </span>
          <div className="min-w-0 flex-1">
            <Link
              to="/alerts/events/$id"
              params={{ id }}
              className="font-medium wrap-break-word hover:underline"
            >
              {title}
            </Link>
            <p className="wrap-break-word text-muted">{restOfMessage({ title, message })}</p>
          </div>
          <div className="flex shrink-0 flex-col items-end gap-1 text-xs text-muted">
            <StatusBadge status={status} />
            <Time at={fired_at} />
          </div>
        </li>
      ))}
    </ul>
  );
}
