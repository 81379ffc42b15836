import type { App } from "../app.ts";
import type { ChannelDeps } from "../channels/channel.ts";
import type { Config } from "../config.ts";
import { hasOptedOut } from "../store/channels/opt-outs.ts";

/** What channels may use of the app. */
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
  };
}

/** The account that text messages are sent from, where the operator has one. */
function twilioOf({ twilioAccountSid, twilioAuthToken, twilioFrom }: Config): ChannelDeps["twilio"] {
  if (!twilioAccountSid || !twilioAuthToken || !twilioFrom) return undefined;
  return { accountSid: twilioAccountSid, authToken: twilioAuthToken, from: twilioFrom };
}
