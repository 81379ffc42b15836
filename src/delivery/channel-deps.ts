import type { App } from "../app.ts";
import type { ChannelDeps } from "../channels/channel.ts";
import type { Config } from "../config.ts";
import { emailKey } from "../store/accounts/users.ts";
import { listUnconfirmed } from "../store/channels/email-recipients.ts";
import { hasOptedOut } from "../store/channels/opt-outs.ts";

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
    smsAllow: config.smsAllow,
  };
}

/** Returns the operator's Twilio account; undefined when it is not configured. */
function twilioOf({ twilioAccountSid, twilioAuthToken, twilioFrom }: Config): ChannelDeps["twilio"] {
  if (!twilioAccountSid || !twilioAuthToken || !twilioFrom) return undefined;
  return { accountSid: twilioAccountSid, authToken: twilioAuthToken, from: twilioFrom };
}
