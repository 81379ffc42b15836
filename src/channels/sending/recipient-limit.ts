import type { SendResult } from "../channel.ts";

/** The result of a message whose recipients all reached the limit of messages per hour. */
export const overRecipientLimit: SendResult = {
  status: null,
  excerpt: null,
  result: "skipped",
  reason:
    "The recipient reached the limit of messages per hour, which counts those of other organisations. A summary is sent after the hour.",
};
