import { receiveText } from "../../domain/channels/sms-opt-out.ts";
import { receiveHeliusDelivery } from "../../domain/contracts/helius-webhook.ts";
import { HeliusDelivery, InboundText, TwiML } from "../../wire/inbound-webhooks.ts";
import { Ok } from "../../wire/primitives.ts";
import { type Group, hookOperation } from "../operation.ts";

export const webhookGroup: Group = {
  tag: "Inbound webhooks",
  about: "Webhooks that other services call. Each is authenticated by a signature or a shared secret.",
  operations: [
    hookOperation({
      route: "POST /webhooks/helius",
      id: "receiveHeliusDelivery",
      summary: "Receive transactions from Helius",
      description:
        "Receives enhanced or raw Solana transactions, with `HELIUS_WEBHOOK_SECRET` in the Authorization header if configured. " +
        "They only speed up detection: unreadable payloads are logged and accepted with 200. At most 1,000 transactions and 60,000 JSON values " +
        "count; without a secret 100 and 20,000.",
      hook: { takes: "application/json", answers: "application/json" },
      body: HeliusDelivery,
      reply: Ok,
      errors: ["webhook_refused"],
      receive: ({ app, caller, raw: { bytes, headers } }) =>
        receiveHeliusDelivery(app, caller, { bytes, authorization: headers.authorization }),
    }),

    hookOperation({
      route: "POST /webhooks/twilio/opt-out",
      id: "receiveText",
      summary: "Receive a text message from Twilio",
      description:
        "STOP and its synonyms end all texts to the sender, START resumes them, HELP gets a reply. The request is signed in " +
        "`X-Twilio-Signature` over the URL under `PUBLIC_URL`. Responds with 503 if `TWILIO_AUTH_TOKEN` is not set.",
      hook: { takes: "application/x-www-form-urlencoded", answers: "text/xml" },
      body: InboundText,
      reply: TwiML,
      errors: ["webhook_refused", "sms_not_configured"],
      limits: { bodyBytes: 64 * 1024 },
      receive: ({ app, caller, raw: { bytes, headers, target } }) =>
        receiveText(app, caller, { bytes, signature: headers["x-twilio-signature"], target }),
    }),
  ],
};
