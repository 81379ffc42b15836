import type { AnyChannel } from "./channel.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { opsgenie } from "./opsgenie.ts";
import { pagerduty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { sms } from "./sms.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

/** Every kind of place that alerts go to. */
export const channels: readonly AnyChannel[] = [
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

/** The kind of that name; undefined when there is none. */
export function channelOf(type: string): AnyChannel | undefined {
  return channels.find((one) => one.type === type);
}
