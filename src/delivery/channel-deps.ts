import type { App } from "../app.ts";
import type { ChannelDeps } from "../channels/channel.ts";
import type { Config } from "../config.ts";
import { emailKey } from "../store/accounts/users.ts";
import { listUnconfirmed } from "../store/channels/email-recipients.ts";
import { hasOptedOut } from "../store/channels/opt-outs.ts";
import { findConfirmed } from "../store/channels/sms-numbers.ts";
import type { Db } from "../store/open-store.ts";

/** Returns the dependencies of channels, from the app. */
export function makeChannelDeps(app: App): ChannelDeps {
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
  };
}

/** True for a phone number with a prefix that the operator allows, and for one that the org confirmed with a code. */
export async function mayText({ config }: App, db: Db, org_id: string, phone: string): Promise<boolean> {
  return hasAllowedPrefix(config, phone) || (await findConfirmed(db, org_id, phone)) !== undefined;
}

export function hasAllowedPrefix({ smsAllow }: Config, phone: string): boolean {
  return smsAllow.some((prefix) => phone.startsWith(prefix));
}

/** Returns the operator's Twilio account; undefined when it is not configured. */
function twilioOf({ twilioAccountSid, twilioAuthToken, twilioFrom }: Config): ChannelDeps["twilio"] {
  if (!twilioAccountSid || !twilioAuthToken || !twilioFrom) return undefined;
  return { accountSid: twilioAccountSid, authToken: twilioAuthToken, from: twilioFrom };
}
