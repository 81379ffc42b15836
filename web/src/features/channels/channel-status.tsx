import type { Channel } from "@/queries/channels.ts";
import { Badge } from "@/ui/badge.tsx";

/** Whether messages arrive. A channel that never delivered is untested, not fine. */
export function ChannelStatus({
  status,
  is_enabled,
  last_success_at,
}: Pick<Channel, "status" | "is_enabled" | "last_success_at">) {
  if (!is_enabled) return <Badge>off</Badge>;
  if (status === "failing") return <Badge tone="critical">failing</Badge>;
  if (status === "disabled") return <Badge tone="critical">needs a change</Badge>;
  return last_success_at ? <Badge tone="ok">works</Badge> : <Badge tone="warning">untested</Badge>;
}
