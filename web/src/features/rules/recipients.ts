import { formatDuration } from "@/lib/text/units.ts";
import type { Rule } from "@/queries/alerts.ts";
import type { Channel } from "@/queries/channels.ts";

const ranks = { info: 0, warning: 1, critical: 2 };

/** One channel that a rule names, and why an alert of the rule would not reach it. */
export type Recipient = { id: string; name: string; type: string; reason: string | undefined };

/** Who an alert of a rule notifies: at once, then by each step of its escalation. */
export function recipientsOf(rule: Rule, channels: Channel[]): { when: string; recipients: Recipient[] }[] {
  const steps = [
    { after_seconds: 0, channel_ids: [rule.channel_id, ...rule.channel_ids] },
    ...rule.escalation,
  ];
  return steps.map(({ after_seconds, channel_ids }) => ({
    when: after_seconds === 0 ? "at once" : `after ${formatDuration(after_seconds)}`,
    recipients: [...new Set(channel_ids)].flatMap((id) => {
      const channel = channels.find((channel) => channel.id === id);
      if (!channel) return [];
      const { name, type } = channel;
      return [{ id: channel.id, name, type, reason: obstacleOf(rule, channel) }];
    }),
  }));
}

function obstacleOf({ mode, severity }: Rule, channel: Channel): string | undefined {
  if (mode === "shadow") return "the rule is in shadow mode";
  if (!channel.is_enabled) return "the channel is turned off";
  if (ranks[severity] < ranks[channel.min_severity])
    return `the channel gets only ${channel.min_severity} alerts`;
  return channel.status === "disabled" ? "the provider rejects its messages" : undefined;
}
