import type { AlertEvent } from "@/queries/alerts.ts";
import { Badge, type Tone } from "@/ui/badge.tsx";

const looks: Record<AlertEvent["status"], { tone: Tone; label: string }> = {
  firing: { tone: "critical", label: "firing" },
  occurred: { tone: "warning", label: "occurred" },
  acknowledged: { tone: "info", label: "acknowledged" },
  resolved: { tone: "ok", label: "resolved" },
  retracted: { tone: "neutral", label: "retracted" },
};

/** The state of an alert, as a word. */
export function StatusBadge({ status }: { status: AlertEvent["status"] }) {
  const { tone, label } = looks[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Whether people can still do something about it. */
export function canAcknowledge({ status, acknowledged_at }: AlertEvent): boolean {
  return (status === "firing" || status === "occurred") && acknowledged_at === null;
}
