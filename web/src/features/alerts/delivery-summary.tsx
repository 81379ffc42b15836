import type { AlertEvent } from "@/queries/alerts.ts";
import { CircleCheck, CircleX, Clock } from "@/ui/icons.ts";

/** Whether people were reached, in one word: failed if one channel failed. */
export function DeliverySummary({ deliveries }: Pick<AlertEvent, "deliveries">) {
  if (deliveries.length === 0) return <span className="text-muted">not sent</span>;
  const has = (...wanted: string[]) => deliveries.some(({ status }) => wanted.includes(status));
  if (has("failed"))
    return (
      <span className="inline-flex items-center gap-1 text-critical">
        <CircleX size={14} aria-hidden /> failed
      </span>
    );
  if (has("queued", "sending"))
    return (
      <span className="inline-flex items-center gap-1 text-warning">
        <Clock size={14} aria-hidden /> sending
      </span>
    );
  if (has("sent"))
    return (
      <span className="inline-flex items-center gap-1 text-ok">
        <CircleCheck size={14} aria-hidden /> sent
      </span>
    );
  return <span className="text-muted">{deliveries[0]?.status}</span>;
}
