import type { Alert, Message, SendResult } from "../channel.ts";

/** Sends the alerts of a message one by one until one fails. A retry repeats the first ones, which the provider deduplicates. */
export async function sendEach(
  { alerts }: Message,
  send: (alert: Alert) => Promise<SendResult>,
): Promise<SendResult> {
  const [first, ...others] = alerts;
  let outcome = await send(first);
  for (const alert of others) {
    if (outcome.result === "retry" || outcome.result === "failed") return outcome;
    outcome = await send(alert);
  }
  return outcome;
}
