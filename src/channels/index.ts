import type { AnyChannelType } from "./channel.ts";
import { discord } from "./providers/discord.ts";
import { email } from "./providers/email.ts";
import { inbox } from "./providers/inbox.ts";
import { opsgenie } from "./providers/opsgenie.ts";
import { pagerduty } from "./providers/pagerduty.ts";
import { slack } from "./providers/slack.ts";
import { sms } from "./providers/sms.ts";
import { teams } from "./providers/teams.ts";
import { telegram } from "./providers/telegram.ts";
import { webhook } from "./providers/webhook.ts";

/** Every channel type. */
export const channels: readonly AnyChannelType[] = [
  inbox,
  email,
  slack,
  discord,
  telegram,
  webhook,
  pagerduty,
  opsgenie,
  sms,
  teams,
];

/** Returns the channel type of that name; undefined when there is none. */
export function channelOf(type: string): AnyChannelType | undefined {
  return channels.find((channel) => channel.type === type);
}
