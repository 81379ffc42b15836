import { receiveText } from "../../domain/channels/sms-opt-out.ts";
import { receiveHeliusDelivery } from "../../domain/contracts/helius-webhook.ts";
import { HeliusDelivery, InboundText, TwiML } from "../../wire/inbound-webhooks.ts";
import { Ok } from "../../wire/primitives.ts";
import { type Group, hookOperation } from "../operation.ts";

export const webhookGroup: Group = {
  tag: "Inbound webhooks",
  about: "What other services tell us. Each proves itself by a signature or a shared secret.",
  operations: [
    hookOperation({
      route: "POST /webhooks/helius",
      id: "receiveHeliusDelivery",
      summary: "Take transactions from Helius",
      description:
        "Enhanced or raw transactions on Solana, with `HELIUS_WEBHOOK_SECRET` in the Authorization header where that is " +
        "set. They are hints that make detection faster: what cannot be read is logged and answered with 200 too.",
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
      summary: "Take a text message from Twilio",
      description:
        "STOP and its like end all texts to the sender's number, START begins them again, HELP is answered. Signed in " +
        "`X-Twilio-Signature` over the address under `PUBLIC_URL`. Answers 503 where `TWILIO_AUTH_TOKEN` is not set.",
      hook: { takes: "application/x-www-form-urlencoded", answers: "text/xml" },
      body: InboundText,
      reply: TwiML,
      errors: ["webhook_refused", "sms_not_configured"],
      receive: ({ app, caller, raw: { bytes, headers, target } }) =>
        receiveText(app, caller, { bytes, signature: headers["x-twilio-signature"], target }),
    }),
  ],
};
