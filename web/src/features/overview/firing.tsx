import { Link } from "@tanstack/react-router";
import { useCanEdit } from "@/lib/session.ts";
import { restOfMessage } from "@/lib/text/event-text.ts";
import type { AlertEvent } from "@/queries/alerts.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { SeverityBadge, SeverityIcon } from "@/ui/severity.tsx";
import { Time } from "@/ui/time.tsx";

const ranks = { critical: 0, warning: 1, info: 2 };

/** What needs someone now, worst first. */
export function Firing({
  events,
  onAcknowledge,
  busy,
}: {
  events: AlertEvent[];
  onAcknowledge: (id: string) => void;
  busy: string | undefined;
}) {
  const mayEdit = useCanEdit();
  const open = events
    .filter(({ status }) => status === "firing" || status === "acknowledged")
    .sort((a, b) => ranks[a.severity] - ranks[b.severity] || b.fired_at.localeCompare(a.fired_at));
  const unacknowledged = open.filter(({ acknowledged_at }) => acknowledged_at === null).length;
  return (
    <Card
      title={
        open.length === 0 ? "Nothing is firing" : `${open.length} firing, ${unacknowledged} not acknowledged`
      }
      actions={
        <Link to="/alerts" className="text-sm text-accent underline">
          All alerts
        </Link>
      }
    >
      {open.length === 0 && (
        <p className="flex items-center gap-2 text-ok">
          <SeverityIcon severity="ok" /> No rule's condition holds at the moment.
        </p>
      )}
      <ul className="divide-y divide-line">
        {open.slice(0, 8).map(({ id, severity, title, message, fired_at, acknowledged_at }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 first:pt-0 last:pb-0">
            <SeverityBadge severity={severity} isFilled={acknowledged_at === null} />
            <div className="min-w-0 flex-1 basis-60">
              <Link
                to="/alerts/events/$id"
                params={{ id }}
                className="font-medium wrap-break-word hover:underline"
              >
                {title}
              </Link>
              <p className="text-sm wrap-break-word text-muted">{restOfMessage({ title, message })}</p>
            </div>
            <span className="text-sm text-muted">
              <Time at={fired_at} suffix="" />
            </span>
            {acknowledged_at === null && mayEdit ? (
              <Button
                isSmall
                aria-label={`Acknowledge ${title}`}
                isBusy={busy === id}
                onClick={() => onAcknowledge(id)}
              >
                Acknowledge
              </Button>
            ) : (
              <span className="text-xs text-muted">acknowledged</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
