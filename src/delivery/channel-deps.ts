import type { App } from "../app.ts";
import type { ChannelDeps, ProviderDeps } from "../channels/channel.ts";
import { isCostly } from "../channels/sending/costly-numbers.ts";
import type { Config } from "../config.ts";
import { emailKey } from "../store/accounts/users.ts";
import { listUnconfirmed } from "../store/channels/email-recipients.ts";
import { insertInboxMessage } from "../store/channels/inbox.ts";
import { hasOptedOut } from "../store/channels/opt-outs.ts";
import { findConfirmed } from "../store/channels/sms-numbers.ts";
import type { Db } from "../store/open-store.ts";
import { limitRecipients } from "./recipient-limits.ts";

/** Returns the dependencies of all channels, from the app. */
export function makeProviderDeps(app: App): ProviderDeps {
  const { config } = app;
  return {
    outbound: app.outbound,
    mailer: app.mailer,
    clock: app.clock,
    urls: {
      telegram: config.telegramUrl,
      pagerduty: config.pagerdutyUrl,
      opsgenie: { us: config.opsgenieUrl, eu: config.opsgenieEuUrl },
      twilio: config.twilioUrl,
    },
    twilio: twilioOf(config),
    hasOptedOut: (phone) => hasOptedOut(app.db, phone),
    async unconfirmed(org_id, addresses) {
      const keys = new Set(await listUnconfirmed(app.db, org_id, addresses.map(emailKey)));
      return addresses.filter((address) => keys.has(emailKey(address)));
    },
    mayText: (org_id, phone) => mayText(app, app.db, org_id, phone),
    admit: limitRecipients(app),
  };
}

/** Returns the function that stores messages in the inbox as those of a channel. */
export function inboxOf(app: App, channel_id: string): ChannelDeps["storeInInbox"] {
  return (entry) =>
    insertInboxMessage(app.db, {
      ...entry,
      channel_id,
      delivery_id: entry.kind === "test" ? null : entry.id,
      received_at: app.clock.now(),
    });
}

/** True for a phone number with a prefix that the operator allows, and for one that the org confirmed with a code. */
export async function mayText({ config }: App, db: Db, org_id: string, phone: string): Promise<boolean> {
  return hasAllowedPrefix(config, phone) || (await findConfirmed(db, org_id, phone)) !== undefined;
}

/** A prefix of a country does not include its premium-rate numbers. */
export function hasAllowedPrefix({ smsAllow }: Config, phone: string): boolean {
  return smsAllow.some((prefix) => phone.startsWith(prefix)) && !isCostly(phone, smsAllow);
}

/** Returns the operator's Twilio account; undefined when it is not configured. */
function twilioOf({ twilioAccountSid, twilioAuthToken, twilioFrom }: Config): ProviderDeps["twilio"] {
  if (!twilioAccountSid || !twilioAuthToken || !twilioFrom) return undefined;
  return { accountSid: twilioAccountSid, authToken: twilioAuthToken, from: twilioFrom };
}
