import { Link } from "@tanstack/react-router";
import { cx } from "@/lib/class-names.ts";
import type { InboxMessage } from "@/queries/inbox.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { SeverityIcon } from "@/ui/severity.tsx";
import { Time } from "@/ui/time.tsx";

/** One message. Its title opens the alert, which marks it as read. */
export function MessageItem({ message, onRead }: { message: InboxMessage; onRead: (id: string) => void }) {
  const { id, kind, severity, title, message: text, event_ids, is_read, channel_name, received_at } = message;
  const [event] = event_ids;
  const look = cx("wrap-break-word", is_read ? "font-normal" : "font-semibold");
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <span className="mt-0.5">
        <SeverityIcon severity={kind === "resolved" ? "ok" : severity} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          {event ? (
            <Link
              to="/alerts/events/$id"
              params={{ id: event }}
              onClick={() => onRead(id)}
              className={cx(look, "hover:underline")}
            >
              {title}
            </Link>
          ) : (
            <span className={look}>{title}</span>
          )}
          {!is_read && <Badge tone="info">new</Badge>}
        </p>
        <p className="text-sm wrap-break-word whitespace-pre-line text-muted">{text}</p>
        <p className="text-sm text-muted">
          {channel_name} · <Time at={received_at} />
        </p>
      </div>
      {!is_read && (
        <Button aria-label={`Mark read: ${title}`} onClick={() => onRead(id)}>
          Mark read
        </Button>
      )}
    </li>
  );
}
