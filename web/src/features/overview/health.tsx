import { Link } from "@tanstack/react-router";
import { cx } from "@/lib/class-names.ts";
import { chainStateText } from "@/lib/text/chain-state.ts";
import { formatDuration } from "@/lib/text/units.ts";
import type { Channel } from "@/queries/channels.ts";
import type { Chain } from "@/queries/contracts.ts";
import { Badge, type Tone } from "@/ui/badge.tsx";
import { Card } from "@/ui/card.tsx";

const tones: Record<Chain["state"], Tone> = {
  live: "ok",
  lagging: "warning",
  stalled: "critical",
  off: "neutral",
};

/** Whether Tocsin itself can see and speak. */
export function Health({
  chains,
  channels,
  failed,
}: {
  /** Undefined while they are loading, which must not look like none. */
  chains: Chain[] | undefined;
  channels: Channel[];
  failed: number;
}) {
  const broken = channels.filter(({ status, is_enabled }) => is_enabled && status !== "ok");
  return (
    <Card title="Is monitoring healthy?">
      <ul className="space-y-1.5 text-sm">
        {chains?.map(({ chain, name, state, head_block, lag_seconds, status_reason }) => (
          <li key={chain}>
            <span className="flex flex-wrap items-center gap-2">
              <b className="font-medium">{name}</b>
              <Badge tone={tones[state]}>{chainStateText({ state, status_reason })}</Badge>
              <span className="text-muted">
                {head_block !== null && `block ${head_block.toLocaleString("en")}`}
                {lag_seconds !== null && lag_seconds > 0 && `, ${formatDuration(lag_seconds)} behind`}
              </span>
            </span>
            {status_reason && (
              <span className={cx("block wrap-anywhere", state === "live" ? "text-muted" : "text-warning")}>
                {status_reason}
              </span>
            )}
          </li>
        ))}
        {chains?.length === 0 && (
          <li className="text-warning">No chain is enabled, so nothing is monitored.</li>
        )}
        {broken.map(({ id, name, last_error }) => (
          <li key={id}>
            <Link to="/channels/$id" params={{ id }} className="font-medium text-accent underline">
              {name}
            </Link>{" "}
            <Badge tone="critical">failing</Badge>{" "}
            <span className="wrap-break-word text-muted">{last_error}</span>
          </li>
        ))}
        {channels.length > 0 && broken.length === 0 && (
          <li className="text-muted">
            {channels.length} {channels.length === 1 ? "channel works" : "channels work"}; {failed} failed{" "}
            {failed === 1 ? "message" : "messages"} in 24 hours.
          </li>
        )}
      </ul>
    </Card>
  );
}
