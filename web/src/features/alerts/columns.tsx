import { Link } from "@tanstack/react-router";
import { DeliverySummary } from "@/features/alerts/delivery-summary.tsx";
import { StatusBadge } from "@/features/alerts/status.tsx";
import { formatWithUnit } from "@/lib/text/units.ts";
import type { AlertEvent } from "@/queries/alerts.ts";
import { SeverityBadge } from "@/ui/severity.tsx";
import type { Column } from "@/ui/table/table-model.ts";
import { Time } from "@/ui/time.tsx";

const open = (event: AlertEvent) => event.status === "firing";

export const eventColumns: Column<AlertEvent>[] = [
  {
    id: "severity",
    title: "Severity",
    width: "88px",
    cell: (event) => <SeverityBadge severity={event.severity} isFilled={open(event)} />,
  },
  { id: "status", title: "Status", width: "104px", cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: "title",
    title: "Alert",
    width: "minmax(180px, 1fr)",
    cell: ({ id, title, message }) => (
      <Link to="/alerts/events/$id" params={{ id }} className="font-medium hover:underline" title={message}>
        {title}
      </Link>
    ),
  },
  {
    id: "value",
    title: "Value",
    width: "110px",
    isRight: true,
    cell: ({ value, unit }) => formatWithUnit(value, unit),
  },
  {
    id: "delivery",
    title: "Messages",
    width: "80px",
    cell: ({ deliveries }) => <DeliverySummary deliveries={deliveries} />,
  },
  { id: "at", title: "Fired", width: "80px", isRight: true, cell: ({ fired_at }) => <Time at={fired_at} /> },
];

/** An alert on a narrow screen. */
export function EventCard({ id, severity, status, title, fired_at }: AlertEvent) {
  return (
    <>
      <p className="mb-1 flex items-center gap-2">
        <SeverityBadge severity={severity} isFilled={status === "firing"} />
        <StatusBadge status={status} />
        <span className="ml-auto text-xs text-muted">
          <Time at={fired_at} />
        </span>
      </p>
      <Link to="/alerts/events/$id" params={{ id }} className="line-clamp-2 text-sm font-medium">
        {title}
      </Link>
    </>
  );
}
