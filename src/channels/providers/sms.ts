import { z } from "zod";
import { channel, type Message } from "../channel.ts";
import { webLink } from "../message/facts.ts";
import { headline } from "../message/headline.ts";
import { oneLine, unlinked } from "../message/plain-text.ts";
import { fitSegments } from "../message/sms-length.ts";
import { overRecipientLimit } from "../sending/recipient-limit.ts";
import { sendText } from "../sending/text-message.ts";

/** A phone number in E.164 format. */
export const PhoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, "must be a phone number in E.164 format, such as +14155550100")
  .meta({ description: "The phone number, with + and the country code.", examples: ["+14155550100"] });

const config = z.strictObject({ to: PhoneNumber });
type Config = z.infer<typeof config>;

/** A phone number, through the operator's Twilio account. */
export const sms = channel<Config>({
  type: "sms",
  title: "SMS",
  config,
  secrets: [],
  urls: [],
  kinds: ["fired", "renotified", "escalated", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 1000,
  preview: (message) => ({ format: "text", title: null, text: smsText(message) }),
  async send(message, { to }, deps) {
    if (!(await deps.mayText(message.org.id, to)))
      return { status: null, excerpt: null, result: "failed", reason: notAllowedReason, isDead: true };
    const { admitted, undo } = await deps.admit(message.org.id, "sms", [to]);
    if (admitted.length === 0) return overRecipientLimit;
    const result = await sendText(to, smsText(message), deps);
    if (result.result !== "sent") await undo();
    return result;
  },
});

const notAllowedReason =
  "An admin has not confirmed this number with a code, and its prefix is not one that the operator allows (SMS_ALLOW).";

/** Returns the text of up to three SMS segments: the headline, which says what happened, and a link. */
export function smsText(message: Message): string {
  const { kind, alerts } = message;
  const parts = [
    `Tocsin: ${headline(message)}`,
    kind === "retracted" && "A chain reorganisation removed the block",
    alerts.length > 1 && alerts.map(({ title }) => oneLine(title, 60)).join("; "),
    kind === "test" && "No action is needed. Reply STOP to opt out",
  ].filter((part) => typeof part === "string");
  const url = alerts.map((alert) => webLink(alert.url)).find((link) => link !== null && link.length <= 120);
  // Phones make anything clickable that looks like an address; a visible space prevents that, also where invisible characters
  // do not.
  return fitSegments(unlinked(`${parts.join(". ")}.`, " "), url ? ` ${url}` : "");
}
